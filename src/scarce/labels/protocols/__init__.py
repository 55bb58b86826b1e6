"""Protocols that come with scarce, one module each."""
