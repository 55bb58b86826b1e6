"""Generator of samples from tree-augmented naive Bayes models: nominal columns that depend on the class and a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from scarce.data.generators import GeneratorOptions, generator

if TYPE_CHECKING:
    import numpy as np


class Tan(GeneratorOptions):
    """Options of `tan`."""

    topology: Literal["chain", "star", "binary_tree", "two_hubs"]
    variables: int = Field(10, gt=0, le=1000, description="nominal columns")
    levels: list[Annotated[int, Field(ge=1, le=1000)]] = Field(
        [2, 3, 4], min_length=1, description="numbers of levels, one of which is drawn for each column"
    )

    @property
    def columns(self) -> int:
        return self.variables


def parents_of(topology: str, variables: int) -> list[int]:
    """Parent of each variable, -1 for the root, variable 0; a parent stands before its children.

    A chain; a star around the root; a binary tree that is filled from the left, level by level; or two hubs, the root
    and its child 1, among which the other variables alternate.
    """
    parent = {
        "chain": lambda i: i - 1,
        "star": lambda i: 0,
        "binary_tree": lambda i: (i - 1) // 2,
        "two_hubs": lambda i: 0 if i == 1 else i % 2,
    }[topology]
    return [-1, *(parent(i) for i in range(1, variables))]


def draw_model(random: np.random.RandomState, options: Tan) -> list[np.ndarray]:
    """Draw cumulative probability tables, one for each variable.

    The table of a variable with r levels has shape (2, parent's levels, r - 1): for class 0 and 1 and each level of the
    parent, the probabilities of a level of at most 0, 1, ..., r - 2. Each row of probabilities has the distribution
    Dirichlet(1, ..., 1): it is the spacings of r - 1 sorted uniform numbers. So no logarithm, whose last bits depend on
    the machine, is computed.
    """
    import numpy as np

    r = random.choice(options.levels, options.variables)
    parents = parents_of(options.topology, options.variables)
    shapes = [(2, 1 if parent < 0 else r[parent], r[i] - 1) for i, parent in enumerate(parents)]
    return [np.sort(random.uniform(size=shape), axis=2) for shape in shapes]


@generator("tan", Tan)
def tan(random: np.random.RandomState, y: np.ndarray, options: Tan) -> dict[str, np.ndarray]:
    """Rows of one model: x1 depends on the class, each other column on the class and one column before it.

    Both classes have the same tree. The model is drawn first, so that one seed gives one model for any n. Levels are
    ``v1``, ``v2``, ...
    """
    import numpy as np

    codes: list[np.ndarray] = []
    for table, parent in zip(draw_model(random, options), parents_of(options.topology, options.variables), strict=True):
        thresholds = table[y, 0 if parent < 0 else codes[parent]]
        codes.append((random.uniform(size=(len(y), 1)) >= thresholds).sum(axis=1))
    names = np.array([f"v{level}" for level in range(1, max(options.levels) + 1)], dtype=object)
    return {f"x{i}": names[code] for i, code in enumerate(codes, start=1)}
