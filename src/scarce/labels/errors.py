"""Why a repeat can have no labels."""


class Impossible(ValueError):
    """The rows do not allow what is asked, e.g. too few positives; the repeat is skipped with this reason."""
