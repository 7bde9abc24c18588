"""How findings are shown: one renderer a file, findings in, text out."""
