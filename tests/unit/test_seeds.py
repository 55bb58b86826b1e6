from pubench.seeds import derive


def test_golden_values_hold_on_every_machine():
    assert derive(0, "flip", dataset="yeast6", repeat=0) == 1417043243
    assert derive(7, "split", dataset="a", repeat=19) == 1362824268


def test_only_the_named_axes_count():
    assert derive(0, "flip", dataset="a", repeat=1) == derive(0, "flip", repeat=1, dataset="a")
    seeds = {
        derive(s, p, dataset=d, repeat=r)
        for s in range(3)
        for p in ("flip", "split")
        for d in ("a", "b")
        for r in range(50)
    }
    assert len(seeds) == 3 * 2 * 2 * 50
    assert all(0 <= seed < 2**31 - 1 for seed in seeds)
