"""Runs on a Dask cluster of local processes: the tables of a local run, whatever happens to workers and scheduler."""

import gc
import itertools
import os
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from simcore import batch, bots, request, runlog
from simcore import cluster as clusters
from simcore.cluster import cluster
from simcore.errors import InputError, JobError
from simcore.places import place
from tests.cli import call
from tests.simcore import toy
from tests.simcore.clusters import local_cluster
from tests.simcore.kills import assert_same_tables
from tests.simcore.stores import a_bucket

distributed = pytest.importorskip("distributed", reason="the extra cluster is not installed")

# What the library leaves behind when processes of a cluster are killed or end.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.jitted]


MARKER = "FAIRDEAL_TEST_MARKER"


@pytest.fixture(scope="module")
def bucket():
    with a_bucket() as where:
        yield where


@pytest.fixture(scope="module")
def two_workers(bucket, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARKER, str(tmp_path_factory.mktemp("marker") / "marker"))
        with local_cluster() as found:
            yield found


@pytest.fixture
def marker(two_workers):
    """A file by which shards at the workers know that they were played before."""
    path = Path(os.environ[MARKER])
    path.unlink(missing_ok=True)
    return path


@pytest.fixture
def crew(two_workers):
    with cluster(two_workers.scheduler_address):
        yield two_workers


@pytest.fixture(scope="module")
def two_mortals(two_workers):
    """Two more workers, that tests may kill: how soon others take their places is no concern of other tests."""
    with local_cluster() as found:
        yield found


@pytest.fixture
def mortals(two_mortals):
    with cluster(two_mortals.scheduler_address):
        yield two_mortals


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    return toy.play(toy.a_plan(), tmp_path_factory.mktemp("reference") / "run", threads=1)


def assert_same_bytes(run, other):
    for number, table in itertools.product(run.shards, run.tables):
        parts = [runlog.part_path(one.path, table, number).read_bytes() for one in (run, other)]
        assert parts[0] == parts[1]


def leftovers(folder):
    return sorted(path.name for path in folder.rglob("*.tmp"))


def fail_at_5(shard):
    if shard.number == 5:
        raise ZeroDivisionError("no luck")
    return toy.play_shard(shard)


def refuse_at_5(shard):
    if shard.number == 5:
        raise InputError("no such bot")
    return toy.play_shard(shard)


def sleep_once(shard):
    """Shard 11, which is begun last, takes its first worker very long."""
    marker = Path(os.environ[MARKER])
    if shard.number == 11:
        try:
            marker.touch(exist_ok=False)
        except FileExistsError:
            marker.write_text("played twice")
        else:
            time.sleep(5)
    return toy.play_shard(shard)


def die_with_the_first(shard):
    """The worker that plays shard 5 first dies of it."""
    marker = Path(os.environ[MARKER])
    if shard.number == 5 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return toy.play_shard(shard)


# The same tables.


def test_a_cluster_plays_the_same_rows_and_bytes(tmp_path, reference, crew):
    run = toy.play(toy.a_plan(), tmp_path / "run", play=toy.play_slowly)
    assert_same_tables(run, reference)
    assert_same_bytes(run, reference)
    assert not leftovers(run.path)


def test_a_cluster_plays_into_a_store(reference, crew, bucket):
    run = toy.play(toy.a_plan(), f"{bucket}/on-a-cluster")
    assert_same_tables(run, reference)
    assert not list(place(f"{bucket}/on-a-cluster").glob("*.tmp"))


def test_lost_cities_with_a_bot_of_ones_own_is_played_on_a_cluster(tmp_path, crew, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "import fairdeal\nfrom simcore.game import nth_option\n\n\n@fairdeal.bot('takes the first option')\n"
        "def first(public, me, cards, options, noise, mind):\n    return nth_option(options, 0)\n"
    )
    monkeypatch.chdir(tmp_path)
    plan = request.simulation_plan("lost-cities", "mine.py:first,uniform", games=2000)
    with ThreadPoolExecutor(1) as ours:
        local = batch.run(plan, tmp_path / "local", executor=ours)
    run = batch.run(plan, tmp_path / "cluster")
    assert_same_tables(run, local)
    assert run.manifest["bots"][0]["name"] == "mine.py:first"


def test_the_command_line_plays_lost_cities_on_a_cluster(tmp_path, two_workers):
    words = ["simulate", "lost-cities", "--bots", "uniform,uniform", "--games", "2k", "--quiet", "--out"]
    address = two_workers.scheduler_address
    assert call(*words, tmp_path / "a", "--cluster", address).exit_code == 0
    assert call(*words, tmp_path / "b").exit_code == 0
    assert_same_tables(runlog.open_run(tmp_path / "a"), runlog.open_run(tmp_path / "b"))


# Losses.


def test_shards_of_a_killed_worker_are_played_again(tmp_path, reference, mortals):
    victims = [worker.pid for worker in mortals.workers.values()][:1]

    def kill(progress):
        if progress.new and victims:
            os.kill(victims.pop(), signal.SIGKILL)

    run = toy.play(toy.a_plan(), tmp_path / "run", play=toy.play_slowly, progress=kill)
    assert not victims
    assert_same_tables(run, reference)
    assert_same_bytes(run, reference)


def test_a_shard_that_dask_gives_up_is_begun_again(tmp_path, reference, mortals, marker, monkeypatch):
    monkeypatch.setattr(mortals.scheduler, "allowed_failures", 0)
    run = toy.play(toy.a_plan(), tmp_path / "run", play=die_with_the_first)
    assert marker.exists()
    assert_same_tables(run, reference)


def test_a_shard_that_takes_far_too_long_is_played_twice(tmp_path, reference, crew, marker, monkeypatch):
    monkeypatch.setattr(clusters, "LATE_AT_LEAST", 0.2)
    monkeypatch.setattr(clusters, "LATE", 0.0)  # on a busy machine three times the usual time may be the five seconds
    run = toy.play(toy.a_plan(), tmp_path / "run", play=sleep_once)
    assert marker.read_text() == "played twice"
    assert_same_tables(run, reference)


def test_a_run_whose_scheduler_goes_away_goes_on_elsewhere(tmp_path, reference):
    with local_cluster(processes=False) as workers, cluster(workers.scheduler_address):

        def close(progress):
            if progress.new:
                workers.close()

        with pytest.raises(JobError, match=r"the Dask scheduler at inproc://.* has gone"):
            toy.play(toy.a_plan(), tmp_path / "run", play=toy.play_slowly, progress=close)
    assert runlog.open_run(tmp_path / "run").games > 0
    run = toy.play(toy.a_plan(), tmp_path / "run", resume=True)
    assert_same_tables(run, reference)
    assert not leftovers(run.path)


def test_an_error_of_a_worker_names_the_shard(tmp_path, crew):
    with pytest.raises(JobError, match=r"shard 5 \(ann, bob; deals 6 to 11; seed 7\) failed: ZeroDivisionError: no"):
        toy.play(toy.a_plan(), tmp_path / "run", play=fail_at_5)
    with pytest.raises(InputError, match=r"shard 5 .* at worker tcp://.*: no such bot"):
        toy.play(toy.a_plan(), tmp_path / "other", play=refuse_at_5)


# Fitness.


@pytest.mark.parametrize("joins_later", [False, True])
def test_a_worker_with_another_version_is_named_before_it_plays(tmp_path, crew, monkeypatch, joins_later):
    monkeypatch.setattr(clusters, "_versions", lambda: {"fairdeal": clusters.version(), "numba": "0.1"})
    if joins_later:  # then it has not been asked before the first shard
        monkeypatch.setattr(clusters.Cluster, "_check", lambda self, order: None)
    with pytest.raises(InputError, match=r"worker tcp://.*: the worker would not play the same: numba is .* here"):
        toy.play(toy.a_plan(), tmp_path / "run")
    assert not list((tmp_path / "run").rglob("*.parquet"))


def test_other_code_of_lost_cities_is_noticed(tmp_path, crew, monkeypatch):
    monkeypatch.setattr(clusters, "_code", lambda game: "an edit")
    plan = request.simulation_plan("lost-cities", "uniform,uniform", games=200)
    with pytest.raises(InputError, match=r"the code of the game and its bots is [0-9a-f]{16} there and an edit here"):
        batch.run(plan, tmp_path / "run")


def an_order(folder, **changes):
    job = batch.Job(toy.a_plan(), folder, {}, toy.play_shard)
    entries = {"number": "1", "expected": {}, "token": folder / "seen.tmp", "secret": b"here", "files": {}, **changes}
    return clusters.Order(job=job, **entries)


def test_a_worker_that_does_not_see_the_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"the worker does not see the run's folder .*that all machines share"):
        clusters._see_folder(an_order(tmp_path / "nowhere"))
    (tmp_path / "seen.tmp").write_bytes(b"elsewhere")
    with pytest.raises(InputError, match="the worker sees another folder under the name"):
        clusters._see_folder(an_order(tmp_path))
    clusters._see_folder(an_order(tmp_path, secret=b"elsewhere"))
    assert leftovers(tmp_path) == ["seen.tmp"]


def test_the_code_of_a_game_has_one_hash_wherever_it_lies(tmp_path, monkeypatch):
    from simcore import engine, game

    lost_cities = game.get("lost-cities")
    files = engine._files(lost_cities)
    before = engine.code_hash(lost_cities)
    for file in files:
        copy = tmp_path / "elsewhere" / file.relative_to(file.anchor)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    moved = set((tmp_path / "elsewhere").rglob("*.py"))
    monkeypatch.setattr(engine, "_files", lambda game: moved)
    assert engine.code_hash(lost_cities) == before
    next(iter(moved)).write_text("edited")
    assert engine.code_hash(lost_cities) != before


def test_the_file_of_a_bot_is_told_from_its_name():
    named = {"mine.py:cautious~10": "mine.py", "a/b.toml": "a/b.toml", "b.toml~5": "b.toml", "search:9": ""}
    assert {name: bots.file_in(name) for name in named} == named


# Connections.


def test_no_scheduler_no_workers_and_no_package_are_one_message_each(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "NO_WORKERS", 0.5)
    monkeypatch.setattr(clusters, "CONNECT", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://here", "here:there"):
        with cluster(address), pytest.raises(InputError, match="no Dask scheduler can be reached at"):
            toy.play(toy.a_plan(), tmp_path / "run", resume=True)
    monkeypatch.setattr(clusters, "CONNECT", 20.0)  # for a scheduler that is there, on a busy machine
    with (
        local_cluster(n_workers=0) as nobody,
        cluster(nobody.scheduler_address),
        pytest.raises(InputError, match=r"has no workers\. Start some: dask worker tcp://"),
    ):
        toy.play(toy.a_plan(), tmp_path / "run", resume=True)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with cluster("tcp://127.0.0.1:1"), pytest.raises(InputError, match=r"pip install 'fairdeal\[cluster\]'"):
        toy.play(toy.a_plan(), tmp_path / "run", resume=True)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://here", "here:there"])
def test_a_client_that_cannot_connect_is_not_left_to_the_garbage_collector(address, monkeypatch):
    """Which closed it while the next one held the lock that closing waits for."""
    monkeypatch.setattr(clusters, "CONNECT", 0.5)
    stopped = []
    gc.collect()
    gc.disable()
    try:
        with pytest.raises(InputError, match="no Dask scheduler can be reached"):
            _ = clusters.Cluster(address).client
        monkeypatch.setattr(distributed.utils.LoopRunner, "stop", lambda runner, timeout=10: stopped.append(runner))
        gc.collect()
    finally:
        gc.enable()
    assert not stopped


def test_the_tls_settings_of_dask_are_honoured(tmp_path, reference):
    import dask

    trustme = pytest.importorskip("trustme")
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1")
    files = {name: str(tmp_path / f"{name}.pem") for name in ("ca", "cert", "key")}
    authority.cert_pem.write_to_path(files["ca"])
    certificate.cert_chain_pems[0].write_to_path(files["cert"])
    certificate.private_key_pem.write_to_path(files["key"])
    ours = {"cert": files["cert"], "key": files["key"]}
    tls = "distributed.comm.tls"
    settings = {f"{tls}.ca-file": files["ca"], **{f"{tls}.{role}": ours for role in ("scheduler", "worker", "client")}}
    with dask.config.set(settings):
        security = distributed.Security()
        with local_cluster(n_workers=1, processes=False, protocol="tls://", security=security) as workers:
            assert workers.scheduler_address.startswith("tls://")
            with cluster(workers.scheduler_address):
                assert_same_tables(toy.play(toy.a_plan(), tmp_path / "run"), reference)
            with (
                dask.config.set({f"{tls}.ca-file": None, f"{tls}.client": {"cert": None, "key": None}}),
                cluster(workers.scheduler_address),
                pytest.raises(InputError, match="TLS settings"),
            ):
                toy.play(toy.a_plan(), tmp_path / "other")
