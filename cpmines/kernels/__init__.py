"""What all compiled kernels share: types of arrays, and the pulse of limits and interrupts."""
