"""What is wrong with a value of a configuration file, and what to write in its place.

Pydantic finds the fault; `scarce.config.block.Block` passes its details here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import InitErrorDetails, PydanticCustomError

from scarce.words import did_you_mean

#: What pydantic's error types ask for, by the beginning of their names.
WANTED = {
    "int_": "a whole number",
    "float_": "a number",
    "string_type": "a text",
    "bool_": "true or false",
    "list_type": "a list",
    "dict_type": "a block of keys",
    "model_": "a block of keys",
}
_TRUTH = {"yes": "true", "on": "true", "no": "false", "off": "false", "True": "true", "False": "false"}


def fault(kind: str, message: str, hint: str | None = None) -> PydanticCustomError:
    """An error for a validator to raise; `kind` is a code, or the key of the block that the error is about."""
    return PydanticCustomError(kind, "{message}", {"message": message, "hint": hint})


def together(message: str, keys: tuple[str, ...], about: str | None = None) -> PydanticCustomError:
    """An error of several keys of a block together, found at the last of them; `about`: the one to point to.

    That may be ``key.inner_key``. Where the file does not state it, the error points to the last key that it states.
    """
    return PydanticCustomError(
        "together", "{message}", {"message": message, "hint": None, "keys": keys, "about": about}
    )


def in_words(detail: Mapping[str, Any], model: type) -> InitErrorDetails:
    """One of pydantic's error details with a plain message and a hint.

    Parameters
    ----------
    detail : mapping
        As `ValidationError.errors` gives it.
    model : type
        The innermost block around the value; its fields name the known keys.
    """
    kind, location, value, context = detail["type"], detail["loc"], detail["input"], detail.get("ctx", {})
    if "message" in context:  # in words already
        return InitErrorDetails(type=PydanticCustomError(kind, "{message}", context), loc=location, input=value)
    if kind.startswith("union_tag_"):
        location = (*location, context["discriminator"].strip("'"))
    message, hint = _message_and_hint(kind, detail, model, value, context)
    return InitErrorDetails(type=fault(kind, message, hint), loc=location, input=value)


def _message_and_hint(
    kind: str, detail: Mapping[str, Any], model: Any, value: Any, context: Mapping[str, Any]
) -> tuple[str, str | None]:
    key = str(detail["loc"][-1]) if detail["loc"] else ""
    if kind == "extra_forbidden":
        return "unknown key", did_you_mean(key, model.model_fields)
    if kind == "missing":
        field = model.model_fields.get(key)
        return "is missing", field.description if field else None
    if kind == "union_tag_not_found":
        return "is missing", None
    if kind == "union_tag_invalid":
        tags = re.findall(r"'([^']*)'", context["expected_tags"])
        return f"must be {', '.join(tags[:-1])} or {tags[-1]}, got {context['tag']!r}", did_you_mean(
            context["tag"], tags
        )
    if kind == "too_short" and value == []:
        return "must not be empty", None
    for start, wanted in WANTED.items():
        if kind.startswith(start):
            if value is None:
                return f"is empty, must be {wanted}", None
            known = f"keys: {', '.join(model.model_fields)}" if kind == "model_type" and not detail["loc"] else None
            field = model.model_fields.get(key)
            hint = _conversion(wanted, value, of_texts=field is not None and field.annotation == list[str])
            return f"must be {wanted}, got {_shown(value)}", hint or known
    message = detail["msg"].removeprefix("Value error, ")
    if not message.startswith("Input should"):
        return message, None
    message = f"{message.replace('Input should', 'must')}, got {_shown(value)}"
    if kind == "less_than" and context["lt"] == 1 and 2 <= value <= 99:
        return message, f"{value:g} % is {value / 100:g}"
    choices = re.findall(r"'([^']*)'", str(context.get("expected", "")))
    return message, did_you_mean(value, choices, listed=False) if isinstance(value, str) else None


def _shown(value: Any) -> str:
    if isinstance(value, Mapping | list):
        return "a list" if isinstance(value, list) else "a block"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _conversion(wanted: str, value: Any, *, of_texts: bool) -> str | None:
    """What the writer of a value of another type likely meant; `of_texts`: a list would be one of texts."""
    if isinstance(value, Mapping | list):
        return None
    text = str(value).strip()
    if wanted == "a list":
        plain = re.fullmatch(r"[\w., -]+", text) and (isinstance(value, str) or not of_texts)
        return f"write [{text}]" if plain else f'write ["{text}"]'
    if wanted == "true or false":
        return f"write {_TRUTH[text]}" if text in _TRUTH else None
    if wanted == "a text":
        return "put it in quotes"
    if wanted in ("a number", "a whole number") and not isinstance(value, bool):
        try:
            number = round(float(text.rstrip("% ")) * (0.01 if text.endswith("%") else 1), 12)
        except (ValueError, OverflowError):
            return None
        if wanted == "a number" or number.is_integer():
            return f"write {number:g}" if abs(number) < 1e6 else None
    return None
