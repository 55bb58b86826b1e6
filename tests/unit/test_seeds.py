from scarce.seeds import derive, of_method


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


def test_a_method_has_the_repeats_number_in_a_papers_setting_and_else_a_seed_of_its_own():
    run = {"dataset": "d", "scenario": "flip-50", "method": "m", "repeat": 7}
    assert of_method("paper", 3, **run) == 7
    others = [run | {axis: "x"} for axis in ("dataset", "scenario", "method")] + [run | {"repeat": 8}]
    seeds = {of_method("axes", 3, **one) for one in [run, *others]} | {of_method("axes", 4, **run)}
    assert len(seeds) == 6
