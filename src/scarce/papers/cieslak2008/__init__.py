"""Cieslak & Chawla (2008): decision trees on unbalanced data, with and without sampling."""

from scarce.papers.cieslak2008 import figures  # noqa: F401 - importing it registers the paper's figures
