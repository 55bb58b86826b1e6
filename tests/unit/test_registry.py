import pytest

from scarce import registry
from scarce.errors import ConfigError


def test_every_registered_target_can_be_imported():
    for method in registry.METHODS.values():
        assert callable(method.load().fit), method


@pytest.mark.parametrize("target", ["no.colon", "a:b:c"])
def test_a_target_is_module_and_class(target):
    with pytest.raises(ConfigError, match="must be module:Class"):
        registry.register("x", target)


def test_a_key_has_one_target():
    key = next(iter(registry.METHODS))
    with pytest.raises(ConfigError, match="registered twice"):
        registry.register(key, "somewhere:Else")


def test_a_target_that_is_not_there_is_said():
    with pytest.raises(ConfigError, match="cannot import scarce:Nothing"):
        registry.find("scarce:Nothing").load()
