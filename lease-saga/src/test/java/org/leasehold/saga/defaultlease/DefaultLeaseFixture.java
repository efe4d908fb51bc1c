package org.leasehold.saga.defaultlease;

import static org.leasehold.saga.fakes.Samples.NOON;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeFailedPolls;
import org.leasehold.saga.leasetag.OpenLeaseTags;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A cloud, an engine and a real PostgreSQL for nodes that poll for default leases. */
abstract class DefaultLeaseFixture {

    final FakeServers cloud = new FakeServers();
    final FakeLeaseEngine engine = new FakeLeaseEngine();
    final OutdatedLeases leases = new OutdatedLeases(engine.leases);
    final JdbcClient jdbc = JdbcClient.create(Database.empty());
    final FakeFailedPolls failedPolls = new FakeFailedPolls();
    final DefaultLeaseTable table = new DefaultLeaseTable(jdbc);
    final Map<String, String> settings =
            new HashMap<>(Map.of("enabled", "true", "projects", "all"));
    private Instant now = NOON;

    /** The death of a node: no code of a node continues after it. */
    static final class NodeKilled extends Error {

        static final long serialVersionUID = 1L;
    }

    Instant now() {
        return now;
    }

    void step(Duration duration) {
        now = now.plus(duration);
    }

    void poll() {
        node(true).poll();
    }

    DefaultLeasePoller node(boolean works) {
        return node(works, table);
    }

    /** Returns a node that has just started: it knows only what the database has. */
    DefaultLeasePoller node(boolean works, DefaultLeaseTable rows) {
        DefaultLeaseSettings bound = DefaultLeaseSettingsTest.bind(settings);
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        return new DefaultLeasePoller(
                new DefaultLeasePoller.Parts(
                        cloud,
                        leases,
                        assessor(bound),
                        rows,
                        new DefaultLeaseRequester(leases, engine.commands, bound, clock)),
                bound,
                clock,
                failedPolls,
                () -> works);
    }

    ServerAssessor assessor(DefaultLeaseSettings bound) {
        return new ServerAssessor(
                cloud,
                leases,
                new OpenLeaseTags(jdbc, leases, () -> true),
                new DefaultLeasePolicy(bound));
    }

    DefaultLeaseTable.Row row(String server) {
        return Objects.requireNonNull(table.findAll(ResourceKind.SERVER).get(server));
    }
}
