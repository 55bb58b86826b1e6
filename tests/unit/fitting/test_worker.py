import concurrent.futures
import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time

import joblib
import psutil
import pytest

from scarce.errors import MethodError
from scarce.fitting.worker import in_lanes, run_each


def test_tasks_come_back_in_order():
    assert [(o.task, o.status, o.value) for o in run_each(lambda t: t * t, range(4))] == [
        (t, "done", t * t) for t in range(4)
    ]


def test_no_task_no_outcome():
    assert list(run_each(lambda t: t, [])) == []


def test_a_task_that_hangs_costs_only_itself():
    def work(task):
        if task == 1:
            time.sleep(60)
        return task

    outcomes = list(run_each(work, range(3), seconds=1.0))
    assert [o.status for o in outcomes] == ["done", "timeout", "done"]
    assert outcomes[1].value == "no result after 1 s"


def test_what_a_task_that_hangs_has_started_ends_with_it(tmp_path):
    def work(task):
        started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        (tmp_path / "pid").write_text(str(started.pid))
        started.wait()

    (outcome,) = run_each(work, [0], seconds=2.0)
    assert outcome.status == "timeout"
    with contextlib.suppress(psutil.NoSuchProcess):  # ended, and taken off the list or about to be
        left = psutil.Process(int((tmp_path / "pid").read_text()))
        psutil.wait_procs([left], timeout=30)
        assert not left.is_running() or left.status() == psutil.STATUS_ZOMBIE


def by_executor():
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        return list(pool.map(abs, [1, -2]))


def by_open_pool():
    return multiprocessing.Pool(2).map(abs, [1, -2])  # never closed


def by_spawned_pool():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.map(abs, [1, -2])


def by_joblib():
    return joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(number) for number in (1, -2))


def shared_memory():
    return set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()


@pytest.mark.parametrize("work", [by_executor, by_open_pool, by_spawned_pool, by_joblib])
def test_a_task_may_start_processes(work):
    before = shared_memory()
    assert [(o.status, o.value) for o in run_each(lambda task: work(), range(2), 60)] == [("done", [1, 2])] * 2
    assert not [one for one in psutil.Process().children() if "tracker" not in " ".join(one.cmdline())]
    assert not [name for name in shared_memory() - before if "loky" in name]


IGNORES = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(60)"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system cannot adopt orphans")
@pytest.mark.parametrize(
    ("end", "status"),
    [
        (lambda: None, "done"),
        (lambda: os._exit(3), "died"),
        (lambda: time.sleep(60), "timeout"),
    ],
)
def test_no_process_outlives_the_child_that_started_it(tmp_path, end, status):
    """Neither a fork, nor a program in its own session, nor what that has started, nor one that ignores SIGTERM."""

    def work(task):
        multiprocessing.Process(target=time.sleep, args=(60,)).start()
        subprocess.Popen(["sh", "-c", "sleep 61 & sleep 62"], start_new_session=True)
        deaf = subprocess.Popen([sys.executable, "-c", IGNORES], stdout=subprocess.PIPE)
        deaf.stdout.readline()
        while len(started := psutil.Process().children(recursive=True)) < 4:  # the shell may not have begun yet
            time.sleep(0.01)
        (tmp_path / str(task)).write_text(" ".join(str(one.pid) for one in started))
        end()

    other = subprocess.Popen(["sleep", "60"])
    try:
        assert [outcome.status for outcome in run_each(work, [0], 2)] == [status]
        started = [int(pid) for pid in (tmp_path / "0").read_text().split()]
        assert len(started) >= 4
        assert not [pid for pid in started if psutil.pid_exists(pid)]
        assert other.poll() is None, "a process that no task has started goes on"
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "SIGKILL (out of memory?)"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), "SIGTERM"),
        (lambda: os._exit(3), "exit code 3"),
    ],
)
def test_a_task_that_ends_its_process_costs_only_itself(end, said):
    def work(task):
        if task == 1:
            end()
        return task

    outcomes = list(run_each(work, range(3)))
    assert [o.status for o in outcomes] == ["done", "died", "done"]
    assert said in outcomes[1].value


def test_a_child_that_was_killed_once_tries_its_task_again(tmp_path):
    """A kill from outside, or for want of memory, leaves no trace in the results; what was done is not done again."""

    def work(task):
        with open(tmp_path / "log", "a") as log:
            log.write(f"{task}\n")
        if task in (0, 2) and not (tmp_path / f"killed {task}").exists():
            (tmp_path / f"killed {task}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return task

    assert [(o.task, o.status) for o in run_each(work, range(4))] == [(t, "done") for t in range(4)]
    assert (tmp_path / "log").read_text().split() == ["0", "0", "1", "2", "2", "3"]


def test_two_that_die_in_a_row():
    outcomes = list(run_each(lambda task: os._exit(1), range(2)))
    assert [o.status for o in outcomes] == ["died", "died"]


def test_what_tasks_print_goes_to_a_file(tmp_path, capfd):
    def work(task):
        print(f"printed {task}")
        print("said", task, file=sys.stderr)
        os.write(1, f"from C {task}\n".encode())
        if task == 1:
            os._exit(3)
        return task

    file = tmp_path / "log"
    file.write_text("first line\n")
    assert [o.status for o in run_each(work, range(3), output=file)] == ["done", "died", "done"]
    assert capfd.readouterr() == ("", "")
    said = file.read_text()
    assert said.startswith("first line\n")
    for task in (0, 1, 2):
        assert {f"printed {task}", f"said {task}", f"from C {task}"} <= set(said.splitlines())
    assert [o.value for o in run_each(work, [0], output=tmp_path / "no folder" / "log")] == [0]


def test_a_copy_of_its_process_that_a_task_leaves_running_answers_for_nothing():
    """Its answers would be taken for those of the tasks that follow."""

    def work(task):
        if task == 0:
            copy = os.fork()
            if not copy:
                return "of the copy"
            os.waitpid(copy, 0)
        return task

    assert [(o.task, o.status, o.value) for o in run_each(work, range(3))] == [(t, "done", t) for t in range(3)]


@pytest.mark.parametrize("apart", [False, True])
def test_tasks_apart_find_nothing_of_each_other(apart):
    seen = []

    def work(task):
        seen.append(task)
        os.environ["SCARCE_TASK"] = str(task)
        return list(seen)

    values = [o.value for o in run_each(work, range(3), apart=apart)]
    assert values == ([[0], [1], [2]] if apart else [[0], [0, 1], [0, 1, 2]])
    assert [o.status for o in run_each(lambda task: os._exit(task), range(2), apart=True)] == ["died", "died"]


@pytest.mark.parametrize("replaced", [None, open(os.devnull)])  # noqa: SIM115
def test_a_task_may_take_the_standard_output_away(replaced):
    if replaced:
        replaced.close()

    def work(task):
        sys.stdout = replaced
        return task

    assert [(o.status, o.value) for o in run_each(work, range(2))] == [("done", 0), ("done", 1)]


@pytest.mark.parametrize("lanes", [1, 2, 5, 50])
def test_lanes_do_every_task_once(tmp_path, lanes):
    def work(task):
        time.sleep(0.01)
        with open(tmp_path / str(task), "a") as handle:
            handle.write(f"{os.getpid()} ")

    in_lanes(work, range(20), lanes)
    processes = [(tmp_path / str(task)).read_text().split() for task in range(20)]
    assert {len(done) for done in processes} == {1}
    assert len({one for done in processes for one in done}) <= min(lanes, 20)
    assert (str(os.getpid()) in processes[0]) == (lanes == 1)


def test_lanes_work_at_the_same_time(tmp_path):
    def work(task):
        (tmp_path / str(task)).touch()
        for _ in range(1000):
            if len(list(tmp_path.iterdir())) == 2:
                return
            time.sleep(0.01)
        raise RuntimeError("alone")

    in_lanes(work, range(2), 2)


@pytest.mark.parametrize("lanes", [1, 2])
def test_the_error_of_a_lane_is_raised_and_no_more_tasks_are_begun(tmp_path, lanes):
    def work(task):
        (tmp_path / str(task)).touch()
        if task == 1:
            raise MethodError("broken", where="a b c", hint="mend it")
        time.sleep(0.5)

    with pytest.raises(MethodError, match=r"^a b c: broken \(mend it\)$"):
        in_lanes(work, range(20), lanes)
    assert len(list(tmp_path.iterdir())) <= 3


def test_a_lane_that_is_killed_is_an_error(tmp_path):
    with pytest.raises(RuntimeError, match="SIGKILL"):
        in_lanes(lambda task: os.kill(os.getpid(), signal.SIGKILL), range(2), 2)


def test_lanes_run_tasks_in_children_of_their_own():
    """As a fit job does: a task that dies costs only itself, in every lane."""

    def work(task):
        outcomes = run_each(lambda repeat: os._exit(3) if repeat == task else repeat, range(3))
        assert [one.status for one in outcomes] == ["died" if repeat == task else "done" for repeat in range(3)]

    in_lanes(work, range(3), 2)
