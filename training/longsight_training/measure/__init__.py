"""How well scores foretell what the answer looks at: modules and other policies against the truth."""
