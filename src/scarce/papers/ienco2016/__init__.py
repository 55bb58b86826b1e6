"""Ienco & Pensa (2016): positive and unlabeled learning in categorical data."""
