package org.leasehold.saga.defaultlease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.defaultlease.FakeServers.id;
import static org.leasehold.saga.defaultlease.FakeServers.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.command.Outcome;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.saga.fakes.FakeCommands.Sent;
import org.leasehold.vocabulary.LeaseId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

/**
 * Tests random histories of a cloud, its users and the nodes of an engine, from seeds. Servers come
 * and go, users lease some of them, read models lag, answers get lost, and nodes die or overtake
 * each other at any step of a poll.
 */
class RandomDefaultLeasesTest extends DefaultLeaseFixture {

    private static final int STEPS = 60;
    private static final int SERVERS = 4;

    /** Longer than each pause after a refusal. */
    private static final Duration CALM = Duration.ofDays(2);

    private final List<String> violations = new ArrayList<>();
    private final TreeSet<String> servers = new TreeSet<>();
    private final Map<String, LeaseId> leasedByUsers = new HashMap<>();
    private Random random = new Random();

    /** The number of polls that run inside another one. */
    private int depth;

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 200, 300, 400})
    void no_history_gives_a_server_two_default_leases_or_none(int firstSeed) {
        for (int seed = firstSeed; seed < firstSeed + 20; seed++) {
            run(seed, () -> {});
            assertThat(violations).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void histories_with_lost_rows_give_a_server_two_default_leases() {
        for (int seed = 0; seed < 20; seed++) {
            run(seed, () -> jdbc.sql("DELETE FROM default_lease").update());
        }

        assertThat(violations).anyMatch(violation -> violation.contains("has 2 default leases"));
    }

    private void run(int seed, Runnable bug) {
        random = new Random(seed);
        depth = 0;
        jdbc.sql("DELETE FROM default_lease").update();
        engine.commands.answer(this::decide);
        cloud.afterListing(this::overtake);
        cloud.beforeRequest(this::overtakeByNode);
        for (int step = 0; step < STEPS; step++) {
            act(bug);
            checkNumber(1);
        }
        calmDown();
        checkEachServer();
        deleteAll();
    }

    private void act(Runnable bug) {
        switch (random.nextInt(10)) {
            case 0, 1 -> createServer();
            case 2 -> deleteServer();
            case 3 -> leaseServer();
            case 4 -> endLeaseOfUser();
            case 5 -> engine.setFull(random.nextInt(4) == 0);
            case 6 -> leases.showAll();
            case 7 -> step(Duration.ofSeconds(random.nextInt(1_200)));
            default -> {
                bug.run();
                pollOrDie();
            }
        }
    }

    private void createServer() {
        if (servers.size() < SERVERS) {
            String id = id(random.nextInt(1_000_000));
            servers.add(id);
            cloud.put(server(id));
        }
    }

    private void deleteServer() {
        if (!servers.isEmpty()) {
            String id = anyServer();
            servers.remove(id);
            leasedByUsers.remove(id);
            cloud.delete(id);
        }
    }

    private String anyServer() {
        return new ArrayList<>(servers).get(random.nextInt(servers.size()));
    }

    /** Leases a server that has no default lease: its owner would be refused otherwise. */
    private void leaseServer() {
        if (!servers.isEmpty()) {
            String id = anyServer();
            if (!leasedByUsers.containsKey(id) && engine.countDefaultLeases(id) == 0) {
                LeaseId lease = engine.leaseServer(id);
                if (engine.leases.find(lease, null).isPresent()) {
                    leasedByUsers.put(id, lease);
                }
            }
        }
    }

    private void endLeaseOfUser() {
        if (!leasedByUsers.isEmpty()) {
            String id = new TreeSet<>(leasedByUsers.keySet()).getFirst();
            engine.end(leasedByUsers.remove(id));
        }
    }

    /** Polls as a node that may die on the way. */
    private void pollOrDie() {
        try {
            node(true).poll();
        } catch (NodeKilled _) {
            // Other nodes continue.
        }
    }

    /** Lets users and other nodes act between the listing of a node and its commands. */
    private void overtake() {
        mayDie();
        if (depth < 2 && random.nextInt(4) == 0) {
            depth++;
            act(() -> {});
            depth--;
        }
    }

    private void overtakeByNode() {
        mayDie();
        if (depth < 2 && random.nextInt(4) == 0) {
            depth++;
            pollOrDie();
            depth--;
        }
    }

    private Outcome<LeaseRejection> decide(Sent sent) {
        mayDie();
        Outcome<LeaseRejection> outcome = engine.decide(sent);
        if (sent.command() instanceof CreateLease request
                && outcome instanceof Outcome.Accepted<LeaseRejection>) {
            String id = request.name().substring("default-".length());
            if (leasedByUsers.containsKey(id)) {
                violations.add(id + " has a lease of its user and a default lease");
            }
            if (random.nextBoolean()) {
                leases.hide(request.leaseId());
            }
        }
        mayDie();
        if (random.nextInt(12) == 0) {
            throw new IllegalStateException("the answer is lost");
        }
        return outcome;
    }

    private void mayDie() {
        if (random.nextInt(12) == 0) {
            throw new NodeKilled();
        }
    }

    private void calmDown() {
        engine.setFull(false);
        leases.showAll();
        engine.commands.answer(engine::decide);
        cloud.afterListing(() -> {});
        cloud.beforeRequest(() -> {});
        for (int poll = 0; poll < 4; poll++) {
            step(CALM);
            poll();
        }
    }

    private void checkNumber(int maximum) {
        for (String id : servers) {
            long number = engine.countDefaultLeases(id);
            if (number > maximum) {
                violations.add("%s has %s default leases".formatted(id, number));
            }
        }
    }

    private void checkEachServer() {
        checkNumber(1);
        for (String id : servers) {
            if (!leasedByUsers.containsKey(id) && engine.countDefaultLeases(id) == 0) {
                violations.add(id + " has no lease");
            }
        }
        if (engine.countDefaultLeases() > servers.size()) {
            violations.add("a deleted server has a default lease");
        }
    }

    private void deleteAll() {
        servers.forEach(cloud::delete);
        servers.clear();
        leasedByUsers.clear();
        engine.endAll();
    }
}
