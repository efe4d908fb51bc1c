"""Starts an engine and a database, causes failures, and reports the results."""

import sys

from chaos import embedded, failpoints, full_disk, greedy, rounds
from chaos.failing import FailingEngine
from harness.trial import Trial, arguments


def on(what, hosts, given, misfortune, disk=None):
    with Trial(what) as trial:
        print("seed %d" % given.seed, flush=True)
        database = trial.postgres(given.port + 1)
        if disk:
            trial.afterwards.enter_context(disk(database.data))
        database.create()
        engine = trial.engine("engine", given.port, hosts, database, given.classpath_file, make=FailingEngine)
        misfortune(trial, engine, database).run()


def main():
    given = arguments(12398, failpoints={"action": "store_true"}, full_disk={"action": "store_true"},
                      rounds={"type": int, "default": 0}, embedded={"type": int, "default": 0},
                      greedy={"type": int, "default": 0})
    if not (given.failpoints or given.full_disk or given.rounds or given.embedded or given.greedy):
        sys.exit("nothing to do: --failpoints, --full-disk, --rounds N, --embedded N or --greedy PERCENT")
    if given.full_disk:
        # Checked first, because the rest takes minutes.
        full_disk.require_mount()
    if given.failpoints:
        on("failpoints", failpoints.HOSTS + 1, given,
           lambda trial, engine, _: failpoints.Failpoints(trial, engine, given.seed))
    if given.full_disk:
        on("full disk", full_disk.HOSTS, given,
           lambda trial, engine, database: full_disk.FullDisk(trial, engine, database, given.seed), full_disk.disk)
    if given.rounds:
        on("rounds", rounds.HOSTS, given,
           lambda trial, engine, database: rounds.Rounds(trial, engine, database, given.rounds, given.seed))
    if given.embedded:
        on_its_own_database(given)
    if given.greedy:
        beside_greedy_clients(given)


def on_its_own_database(given):
    with Trial("embedded") as trial:
        print("seed %d" % given.seed, flush=True)
        # Leases are too short for the usual interval between two samples of their usage.
        engine = trial.engine("engine", given.port, rounds.HOSTS, None, given.classpath_file,
                              {"leasehold.saga.sampling": "1s"})
        embedded.EmbeddedRounds(trial, engine, given.embedded, given.seed).run()


def beside_greedy_clients(given):
    with Trial("greedy") as trial:
        database = trial.postgres(given.port + 1).create()
        engine = trial.engine("engine", given.port, greedy.HOSTS, database, given.classpath_file, greedy.settings())
        greedy.Greedy(trial, engine, given.greedy).run()


if __name__ == "__main__":
    main()
