"""Which boards have this table of 3x3 sums? (Baltic OI 2010, "Mines")

The table of a board X with N rows and M columns is A = T_N X T_M, where T_n is the n x n matrix with ones on
the diagonal and beside it.

**One axis.** T_n y = a means y[k - 1] + y[k] + y[k + 1] = a[k] with zeros outside. Two neighbouring
equations give y[k + 3] = y[k] + a[k + 2] - a[k + 1]: three interleaved running sums. The zero behind the end
fixes their start if n is not 2 (mod 3). If it is, that zero is a condition on a, and y may be shifted by any
multiple of the kernel vector k_n = (1, -1, 0, 1, -1, 0, ..., 1, -1).

**Both axes.** Undoing the rows, then the columns, gives one integer matrix X0 with first row and column 0
where the axis leaves a choice, and all solutions are X0 + k_N u' + v k_M' with integer vectors u and v (k_n
is zero unless n = 2 (mod 3)). The boards are those solutions with all entries in {0, 1}, and:

- where k_N(i) = 0 and k_M(j) = 0 a cell does not depend on u and v;
- a row with k_N(i) = 0 depends on v[i] alone, a column with k_M(j) = 0 on u[j] alone: each has no, one or two
  values that fit, and as X0 is 0 in its first cell these are 0 and 1;
- the other cells, the core, exist if N = M = 2 (mod 3): see `core`.

So the number of boards is a power of two times the number of solutions of the core.

**Numbers.** All of it is done modulo 256, in int8. If there is a board, every quantity above lies between -9
and 9 and is exact. If an entry of X0 is not in -3..4 there is none. Otherwise T_N X0 T_M has entries between
-27 and 36 that are congruent, hence equal, to those of A.

Proofs, the order of the boards, and why a table without a board has a reason that can be checked with paper,
stand in ``derivation.md`` beside this file.
"""
