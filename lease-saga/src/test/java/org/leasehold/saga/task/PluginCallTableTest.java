package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.CloudCalls.ListCalls;
import org.leasehold.readmodel.operation.StuckActionQuery.Change;
import org.leasehold.readmodel.operation.StuckActionQuery.Target;
import org.leasehold.saga.fakes.Database;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

class PluginCallTableTest {

    private static final ResourceId NODE = new ResourceId(7);
    private static final CloudCall ENROL =
            new CloudCall(
                    new Target.Resource(NODE, ResourceKind.PHYSICAL_HOST, "node7", Change.ENROL),
                    1,
                    NOON,
                    NOON.plusMillis(20),
                    null,
                    "req-1",
                    "event-1");
    private static final CloudCall FAILED = start(1, new Fault(Fault.Kind.RETRYABLE, "away"));
    private static final CloudCall STARTED = start(2, null);

    private final PluginCallTable table = new PluginCallTable(JdbcClient.create(Database.empty()));

    private static CloudCall start(int attempt, @Nullable Fault fault) {
        return new CloudCall(
                new Target.Reservation(LEASE, RESERVATION, Action.START),
                attempt,
                NOON,
                NOON.plusSeconds(1),
                fault,
                "req-2",
                "event-2");
    }

    @Test
    void calls_are_listed_unchanged_newest_first() {
        table.add(ENROL);
        table.add(FAILED);
        table.add(STARTED);

        assertThat(list(null, null, null).items()).containsExactly(STARTED, FAILED, ENROL);
        assertThat(list(null, null, null).next()).isNull();
    }

    @Test
    void calls_are_filtered_by_lease_resource_and_request() {
        table.add(ENROL);
        table.add(FAILED);
        table.add(STARTED);

        assertThat(list(LEASE, null, null).items()).containsExactly(STARTED, FAILED);
        assertThat(list(null, NODE, null).items()).containsExactly(ENROL);
        assertThat(list(null, null, "req-2").items()).containsExactly(STARTED, FAILED);
        assertThat(list(LEASE, null, "req-1").items()).isEmpty();
        assertThat(list(new LeaseId(UUID.randomUUID()), null, null).items()).isEmpty();
    }

    @Test
    void calls_are_filtered_by_end_time() {
        table.add(ENROL);
        table.add(FAILED);

        assertThat(between(FAILED.ended(), null)).containsExactly(FAILED);
        assertThat(between(null, FAILED.ended())).containsExactly(ENROL);
        assertThat(between(ENROL.ended(), FAILED.ended().plusMillis(1)))
                .containsExactly(FAILED, ENROL);
        assertThat(between(FAILED.ended().plusMillis(1), null)).isEmpty();
    }

    private List<CloudCall> between(@Nullable Instant from, @Nullable Instant to) {
        return table.list(new ListCalls(null, null, null, from, to, null, 10)).items();
    }

    @Test
    void the_next_page_is_not_affected_by_new_calls() {
        table.add(ENROL);
        table.add(FAILED);
        Page<CloudCall> first = table.list(new ListCalls(null, null, null, null, null, null, 1));
        table.add(STARTED);

        Page<CloudCall> second =
                table.list(new ListCalls(null, null, null, null, null, first.next(), 1));

        assertThat(first.items()).containsExactly(FAILED);
        assertThat(second.items()).containsExactly(ENROL);
        assertThat(second.next()).isNull();
    }

    @Test
    void an_unknown_marker_is_rejected() {
        assertThatExceptionOfType(UnknownMarker.class)
                .isThrownBy(() -> table.list(new ListCalls(null, null, null, null, null, "x", 1)));
    }

    private Page<CloudCall> list(
            @Nullable LeaseId lease, @Nullable ResourceId resource, @Nullable String request) {
        return table.list(new ListCalls(lease, resource, request, null, null, null, 10));
    }
}
