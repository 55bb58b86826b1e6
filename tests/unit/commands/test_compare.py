"""What `scarce compare` takes for a method."""

import pytest

from scarce.commands.compare import described
from scarce.config.loading import load_project
from scarce.errors import ConfigError


@pytest.mark.parametrize("method", ["os:path", "sklearn.metrics:f1_score"])
def test_what_is_no_class_is_refused_in_one_line(configured, method):
    with pytest.raises(ConfigError, match=f"{method} is no class"):
        described(load_project(), method)
