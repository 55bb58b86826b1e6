"""What is wrong with a value of a configuration file, in a person's words, and what to write in its place.

Pydantic finds the fault; here its details become a message and a hint.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from scarce.words import did_you_mean

#: What pydantic's complaints about a type want, by the beginning of their names.
WANTED = {
    "int_": "a whole number",
    "float_": "a number",
    "string_type": "a text",
    "bool_": "true or false",
    "list_type": "a list",
    "dict_type": "a block of keys",
    "model_": "a block of keys",
    "missing": "",
}
_TRUTH = {
    "yes": "true",
    "on": "true",
    "y": "true",
    "1": "true",
    "no": "false",
    "off": "false",
    "n": "false",
    "0": "false",
}
#: A whole number whose digits stand in groups; and words, or several, that YAML takes for texts without quotes.
_GROUPED = re.compile(r"[-+]?[1-9][0-9]*(?:(?:_[0-9]+)+|(?:,[0-9]{3})+)(?:\.[0-9]+)?%?\Z")
_BARE = re.compile(r"[\w.+/-][\w.+/ ,-]*\Z")
_FRACTION = re.compile(r"([0-9]+)/([1-9][0-9]*)\Z")


def message_and_hint(detail: Mapping[str, Any], written: str | None, holder: Any) -> tuple[str, str | None]:
    """Message and hint for one of pydantic's error details.

    Parameters
    ----------
    detail : mapping
        As `ValidationError.errors` gives it.
    written : str or None
        The scalar as the file has it, where it has it without quotes.
    holder : type or None
        The model that the faulty key stands in; see `annotation_at`.
    """
    kind, given, context = detail["type"], detail.get("input"), detail.get("ctx", {})
    if kind == "extra_forbidden":
        return "unknown key", did_you_mean(str(detail["loc"][-1]), keys(holder))
    if kind == "missing":
        return "is missing", _description(holder, detail["loc"][-1])
    if kind.startswith("union_tag_"):
        tags = re.findall(r"'([^']*)'", context.get("expected_tags", ""))
        if kind == "union_tag_not_found":
            return "is missing", None
        return _got(f"must be {_either(tags)}", context["tag"], None), did_you_mean(context["tag"], tags)
    if kind == "too_short" and given == []:
        return "must not be empty", None
    wanted = next((what for name, what in WANTED.items() if kind.startswith(name)), None)
    if wanted:
        if given is None:
            hint = f'leave it out, or put it in quotes: "{written}"' if wanted == "a text" and written else None
            return f"is empty, must be {wanted}", hint
        inner = annotation_at(holder, detail["loc"][-1:])
        return _got(f"must be {wanted}", given, written), _conversion(wanted, given, written, inner)
    message = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be").replace("Input", "it")
    message = message[:1].lower() + message[1:] if not message[:2].isupper() else message
    if kind == "string_pattern_mismatch":
        message = f"must match {context['pattern']}"
    return _got(message, given, written), _advice(kind, given, context)


def _got(message: str, given: Any, written: str | None) -> str:
    """The message with what was read, unless it says that itself."""
    if given is None or (isinstance(given, str) and repr(given) in message) or f"got {given}" in message:
        return message
    if isinstance(given, Mapping | list | BaseModel):
        what = "a list" if isinstance(given, list) else "a block"
        return f"{message}, got {what}" if message.startswith("must be") else message
    shown = written if written is not None and not isinstance(given, str) else repr(given)
    return f"{message}, got {shown}"


def _conversion(wanted: str, given: Any, written: str | None, annotation: Any) -> str | None:
    """What the writer of a value of another type will have meant."""
    if wanted in ("a whole number", "a number"):
        number = _number(given)
        if number is None or (wanted == "a whole number" and not number.is_integer()):
            return None
        return f"write {int(number) if number.is_integer() and wanted == 'a whole number' else f'{number:g}'}"
    if wanted == "true or false":
        text = str(given).lower()
        return f"write {_TRUTH.get(text, text)}" if text in (*_TRUTH, "true", "false") else None
    if wanted == "a text" and isinstance(given, bool | int | float):
        return f'put it in quotes: "{written if written is not None else given}"'
    if wanted == "a list" and not isinstance(given, Mapping):
        plain = isinstance(given, str) or str not in get_args(annotation)
        one = str(given if written is None else written)
        return f"write [{one}]" if plain and _BARE.match(one) else f"write [{json.dumps(one, ensure_ascii=False)}]"
    known = keys(annotation)
    return f"keys: {', '.join(known)}" if wanted == "a block of keys" and known else None


def _number(given: Any) -> float | None:
    """The number that a text or a float stands for, read as a person would."""
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return None
    text = str(given).strip()
    if _GROUPED.match(text):
        text = re.sub("[_,]", "", text)
    if "_" in text:  # which Python would take for a number
        return None
    if fraction := _FRACTION.match(text):
        return int(fraction[1]) / int(fraction[2])
    part = 0.01 if text.endswith("%") else 1.0
    try:
        number = float(text.rstrip("%").strip().replace(",", ".", 1)) * part
    except ValueError:
        return None
    return round(number, 12) if abs(number) < 1e15 else None


def _advice(kind: str, given: Any, context: Mapping[str, Any]) -> str | None:
    if kind in ("literal_error", "enum") and isinstance(given, str):
        return did_you_mean(given, re.findall(r"'([^']*)'", str(context.get("expected", ""))), listed=False)
    if kind == "less_than" and context.get("lt") == 1 and isinstance(given, int | float) and 2 <= given <= 99:
        return f"{given:g} % is {given / 100:g}"
    return None


def _either(names: list[str]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1] if names else ""]))


def annotation_at(annotation: Any, location: Any) -> Any:
    """What a location inside an annotation is annotated with; None where that is not one thing."""
    for part in location:
        annotation = _inside(annotation, part)
    return annotation


def _inside(annotation: Any, part: Any) -> Any:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _inside(inner[0], part)
    if _is_model(annotation):
        field = annotation.model_fields.get(part)
        registered = [mark.model() for mark in field.metadata if hasattr(mark, "model")] if field else []
        return registered[0] if registered else field.annotation if field else None
    if origin in (list, dict):
        return inner[-1]
    if origin in (Union, types.UnionType):
        found = [choice if part in _tags(choice) else _inside(choice, part) for choice in inner]
        return next((one for one in found if one is not None), None)
    return None


def is_tag(annotation: Any, part: Any) -> bool:
    """Whether a part of a location only says which model of a union is meant, and is no key of the file."""
    inner = get_args(annotation)
    if get_origin(annotation) is Annotated:
        return is_tag(inner[0], part)
    choices = inner if get_origin(annotation) in (Union, types.UnionType) else ()
    return any(part in _tags(choice) or is_tag(choice, part) for choice in choices)


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _tags(annotation: Any) -> tuple[Any, ...]:
    """The words by which a union knows a model."""
    if not _is_model(annotation):
        return ()
    literals = [field.annotation for field in annotation.model_fields.values()]
    return tuple(word for one in literals if get_origin(one) is Literal for word in get_args(one))


def keys(annotation: Any) -> list[str]:
    """Names of the keys of the model that an annotation stands for; none where it is not one model."""
    if get_origin(annotation) is Annotated:
        return keys(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        models = [choice for choice in get_args(annotation) if _is_model(choice)]
        return keys(models[0]) if len(models) == 1 else []
    return list(annotation.model_fields) if _is_model(annotation) else []


def _description(holder: Any, key: Any) -> str | None:
    field = holder.model_fields.get(key) if _is_model(holder) else None
    return field.description if field else None
