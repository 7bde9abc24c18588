"""Arithmetic that is more than a line of NumPy: NumPy arrays in, NumPy arrays out, nothing known of IR."""
