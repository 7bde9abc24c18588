"""Side-by-side measurements: irrun against OpenVINO's CPU plugin, NumPy's plain expression and, for bags, PyTorch."""
