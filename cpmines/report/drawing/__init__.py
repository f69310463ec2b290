"""Drawing of boards, once for all pages: as a picture, by cells as SVG, in text, and the page around them."""
