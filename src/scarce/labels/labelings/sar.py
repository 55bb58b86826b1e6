"""Labels that are selected: a positive's label is observed with a propensity e(x) that depends on its features (SAR).

Each form of e(x) is a block of settings, registered in `FORMS`, that gives the propensities of a population. Their mean
over the positives is the label frequency that `scar` has at the same flip ratio.

References
----------
Bekker, Robberechts & Davis (2019). Beyond the selected completely at random assumption for learning from positive and
unlabeled data. ECML PKDD.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Discriminator, Field, PlainValidator, SerializeAsAny, Tag, ValidationInfo, field_validator

from scarce.config.block import Block, Once, across, known
from scarce.config.choice import pick, settings
from scarce.config.names import Name
from scarce.labels.labelings.scar import FlipRatios, Scar, alike, scar_flip
from scarce.labels.records import Impossible, LabelingSettings, Scenario, labeling

if TYPE_CHECKING:
    import numpy as np

    from scarce.labels.sample import Columns, Draw, Population, Sample

Names = Annotated[list[str], Field(min_length=1), Once]
NamesOrNumber = Annotated[
    Annotated[Annotated[int, Field(ge=1)], Tag("number")] | Annotated[Names, Tag("names")],
    Discriminator(lambda value: "names" if isinstance(value, list | str) else "number"),  # one message, not two
]


class Form(Block):
    """Base of a form of e(x): its settings, and the propensities that they give."""

    name: Name | None = Field(None, description="of its scenarios, flip-50-<name>; by default the form's")
    datasets: Annotated[list[Annotated[Name, known("data set of this study")]], Field(min_length=1), Once] | None = (
        Field(None, description="data sets that have its scenarios; by default all of the study")
    )

    def propensity(self, population: Population, c: float, draw: Draw) -> np.ndarray:
        """Propensity of every row, shape (n,), with the mean `c` over the positives; `Impossible` where none has it."""
        raise NotImplementedError


class Constant(Form):
    """The same for all: labels and scenarios of `scar`, with their propensities."""

    name: None = Field(None, description="its scenarios have the names of scar's")

    def propensity(self, population: Population, c: float, draw: Draw) -> np.ndarray:
        import numpy as np

        return np.full(len(population), c)


class Attributes(Form):
    """Base of forms that depend on a few attributes."""

    attributes: NamesOrNumber = Field(
        3, description="names, or a number of attributes that vary, drawn anew for each data set"
    )
    seed: Annotated[int, Field(ge=0)] = Field(0, description="of the drawn attributes")

    def chosen(self, population: Population, draw: Draw) -> np.ndarray:
        """The columns of the attributes, shape (n, k)."""
        import numpy as np

        X = population.X
        if not isinstance(self.attributes, int):
            return X[:, [_place(name, _columns(population)) for name in self.attributes]]
        varies = [len(np.unique(column[~np.isnan(column)])) > 1 for column in X.T]
        order = np.random.RandomState([draw.seed("attributes", 0), self.seed]).permutation(X.shape[1])
        places = order[np.array(varies, bool)[order]][: self.attributes]
        if len(places) < self.attributes:
            raise Impossible(f"the propensity depends on {self.attributes} attributes, and {len(places)} vary")
        return X[:, places]


class Product(Attributes):
    """Product of attributes, each scaled to [low, high], to the power 1/k (Bekker et al. 2019); then `scaled`."""

    low: Annotated[float, Field(ge=0, le=1)] = Field(0.2, description="where the attributes are smallest")
    high: Annotated[float, Field(ge=0, le=1)] = Field(0.8, description="where the attributes are largest")

    @across("low", "high")
    def _not_zero(self) -> None:
        if not self.low + self.high:
            raise ValueError("no row can be labeled: low or high must be above 0")

    def propensity(self, population: Population, c: float, draw: Draw) -> np.ndarray:
        from scarce.labels.propensity import product, scaled

        return scaled(product(self.chosen(population, draw), self.low, self.high), population.y == 1, c)


class Logistic(Attributes):
    """Logistic in the sum of standardised attributes, with a shift that gives the mean."""

    slope: float = Field(2.0, ge=-100, le=100, description="log-odds for one standard deviation of an attribute")

    def propensity(self, population: Population, c: float, draw: Draw) -> np.ndarray:
        from scarce.labels.propensity import shifted, standardised

        score = self.slope * standardised(self.chosen(population, draw)).sum(1)
        return shifted(score, population.y == 1, c)


class Posterior(Form):
    """A power of a posterior that is learnt from the true labels (Gong et al. 2021); then `scaled`.

    `easy` takes P(y = 1 | x), so that clear positives are labeled; `hard` takes 3/2 - P(y = 1 | x), so that those
    near the negatives, or among them, are.
    """

    variant: Literal["easy", "hard"] = "easy"
    power: Annotated[float, Field(gt=0, le=1000)] = 10.0

    def propensity(self, population: Population, c: float, draw: Draw) -> np.ndarray:
        from scarce.labels.propensity import posterior, power, scaled

        values = posterior(population.X, population.y, _columns(population).categorical)
        values = values if self.variant == "easy" else 1.5 - values
        return scaled(power(values, self.power, population.y == 1, c), population.y == 1, c)


class Nominal(Form):
    """By the level of one nominal attribute: positives of some levels report, others do not, or less often."""

    attribute: str | None = Field(
        None,
        description="its name; by default the first nominal one with a level that has enough positives, and not all",
    )
    levels: Names | None = Field(None, description="those that report; by default the one with the most positives")
    other: Annotated[float, Field(ge=0, lt=1)] = Field(
        0.0, description="propensity of the other levels over that of those that report"
    )

    @across("attribute", "levels")
    def _levels_of_an_attribute(self) -> None:
        if self.levels and not self.attribute:
            raise ValueError("levels of which attribute? name it as `attribute`")

    def propensity(self, population: Population, c: float, draw: Draw) -> np.ndarray:
        import numpy as np

        from scarce.labels.propensity import scaled

        codes, reporting = self._reporting(population, c)
        return scaled(np.where(np.isin(codes, reporting), 1.0, self.other), population.y == 1, c)

    def _reporting(self, population: Population, c: float) -> tuple[np.ndarray, list[int]]:
        """Codes of the attribute, shape (n,), and of the levels that report."""
        import numpy as np

        columns = _columns(population)
        places = [_place(self.attribute, columns)] if self.attribute else np.flatnonzero(columns.categorical)
        if not columns.categorical[places].all():
            raise Impossible(f"attribute {self.attribute} is not nominal")
        if self.levels:
            known = list(columns.levels[self.attribute])
            if strange := [level for level in self.levels if level not in known]:
                raise Impossible(f"attribute {self.attribute} has no level {', '.join(strange)}, but {known}")
            return population.X[:, places[0]], [known.index(level) for level in self.levels]
        n_positives = int(population.y.sum())
        for place in places:
            codes = population.X[:, place]
            found, counts = np.unique(codes[(population.y == 1) & ~np.isnan(codes)], return_counts=True)
            if len(counts) and round(c * n_positives, 6) <= counts.max() < n_positives:  # c is a ratio of counts
                return codes, [int(found[counts.argmax()])]
        of = f"attribute {self.attribute} has no level" if self.attribute else "no nominal attribute has a level"
        raise Impossible(f"{of} with {c:.0%} of the positives or more, and not all of them")


#: Forms of e(x), by their key in ``propensities:``.
FORMS: dict[str, type[Form]] = {
    "constant": Constant,
    "product": Product,
    "logistic": Logistic,
    "posterior": Posterior,
    "nominal": Nominal,
}


def _columns(population: Population) -> Columns:
    from scarce.labels.sample import Columns

    return population.columns or Columns.unnamed(population.X.shape[1])


def _place(name: str, columns: Columns) -> int:
    if name not in columns.names:
        raise Impossible(f"no attribute is named {name}")
    return list(columns.names).index(name)


def read_form(value: Any, context: Mapping | None = None) -> dict[str, Form]:
    """An item of ``propensities:`` as ``{form: settings}``."""
    if not isinstance(value, dict) or len(value) != 1:
        raise ValueError(f"needs one of the blocks {', '.join(FORMS)}")
    ((name, block),) = value.items()
    return {name: settings(pick("propensity", name, FORMS, name), block or {}, name, context=context)}


class Sar(LabelingSettings):
    """Selected at random: each label is observed with a propensity that depends on the features."""

    flip_ratios: FlipRatios = Field(description="shares of the positives whose label is hidden in the mean, in (0, 1)")
    propensities: Annotated[
        list[
            Annotated[
                dict[str, SerializeAsAny[Form]],
                PlainValidator(lambda value, info: read_form(value, info.context)),
            ]
        ],
        Field(min_length=1),
    ] = Field(description="forms of e(x), each with its scenarios; a block such as product: {attributes: 3}")

    @field_validator("propensities")
    @classmethod
    def _of_different_names(cls, forms: list[dict[str, Form]], info: ValidationInfo) -> list[dict[str, Form]]:
        names = [form.name or key for item in forms for key, form in item.items()]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{', '.join(twice)}: give each a `name` of its own")
        return forms

    def scenarios(self) -> list[Scenario]:
        """Of each form one for each flip ratio."""
        ratios = Scar(flip_ratios=self.flip_ratios).scenarios()
        return [
            _scenario(ratio, key, form) for item in self.propensities for key, form in item.items() for ratio in ratios
        ]

    @property
    def selects(self) -> bool:
        return any("constant" not in item for item in self.propensities)

    def notes(self) -> list[str]:
        """Flip ratios that are one number and so make one scenario."""
        return alike({"flip ratios": self.flip_ratios, "propensities": self.propensities}, self.scenarios())


def _scenario(scar: Scenario, key: str, form: Form) -> Scenario:
    """The scenario of a form at the flip ratio of a scenario of scar."""
    about = {"labeling": "sar", "datasets": tuple(form.datasets) if form.datasets else None}
    about["settings"] = {"flip_ratio": scar.axes["flip_ratio"], "form": key, "of_form": form.model_dump()}
    if not isinstance(form, Constant):  # others share a ratio, against which nothing can be plotted
        name = form.name or key
        about |= {"name": f"{scar.name}-{name}", "label": f"{scar.label}, {name}", "axes": {}}
    return scar.model_copy(update=about)


@labeling("sar", Sar, needs_features=True)
def observe(population: Population, scenario: Scenario, draw: Draw) -> Sample:
    """All rows; each positive is labeled with its propensity, in random order, see `scarce.labels.propensity.drawn`.

    Raises `Impossible` where no positive would be labeled, or the rows do not allow the form.
    """
    import numpy as np

    from scarce.labels.propensity import drawn

    chosen, positives = scenario.settings, np.flatnonzero(population.y)
    seed = draw.seed("flip")
    at_random = scar_flip(population.y, chosen["flip_ratio"], seed=seed, rule=draw.options.flip_count)
    form = FORMS[chosen["form"]].model_validate(chosen["of_form"])
    e = form.propensity(population, float(at_random[positives].mean()), draw)
    s = np.zeros(len(population), np.int8)
    s[positives[drawn(e[positives], seed)]] = 1
    if not s.any():
        raise Impossible(f"no label is drawn: {len(positives)} positives, {scenario.label}")
    alike = not isinstance(form, Constant) and np.ptp(e[positives]) == 0
    note = "the propensity is the same for all positives: labels are hidden at random" if alike else ""
    return population.sample(s, propensity=e, note=note)
