package org.leasehold.resource.openstack.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Survey;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The starts of reserved servers, and the survey of all. */
class OpenStackServersTest extends OpenStackServersFixture {

    @Test
    void a_start_unshelves_the_server_and_tags_it_with_the_reservation() {
        server.status = SHELVED;
        nova.takeTime(5);

        assertDone(acting.onStart(assignment()));
        assertDone(acting.onStart(assignment()));

        assertThat(server.status).isEqualTo("ACTIVE");
        assertThat(server.metadata).isEqualTo(Map.of(MARK, RESERVATION.toString()));
        assertThat(nova.changes()).hasSize(2);
        assertThat(acting.inspect(RESERVATION))
                .containsExactly("server/nova ACTIVE reservation:" + RESERVATION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"SHELVED", "SHUTOFF", "SUSPENDED", "ACTIVE"})
    void a_start_activates_a_shelved_stopped_or_suspended_server(String status) {
        server.status = status;
        assertDone(acting.onStart(assignment()));
        assertThat(server.status).isEqualTo("ACTIVE");
    }

    @Test
    void a_shelved_server_starts_in_the_reserved_zone() {
        server.zone = "east";
        server.status = SHELVED;
        assertDone(acting.onStart(assignment()));
        assertThat(server.zone).isEqualTo("nova");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PAUSED", "RESCUE", "VERIFY_RESIZE", "ERROR"})
    void a_start_that_nova_rejects_is_retryable_with_the_message_of_nova(String status) {
        server.status = status;
        Fault fault = assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        assertThat(fault.message()).contains("Cannot 'unshelve' instance", status);
        assertThat(server.metadata).isEmpty();
    }

    @Test
    void a_start_without_capacity_is_retryable() {
        server.status = SHELVED;
        nova.setFull(true);
        assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        assertThat(nova.changes()).hasSize(1);

        nova.setFull(false);
        assertDone(acting.onStart(assignment()));
    }

    @Test
    void a_retry_after_a_timeout_does_not_repeat_the_request() {
        server.status = SHELVED;
        nova.takeTime(Integer.MAX_VALUE);
        assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        assertThat(nova.changes()).hasSize(1);
    }

    @Test
    void a_start_with_on_start_leave_keeps_the_server_shelved() {
        server.status = SHELVED;
        Assignment left = assignment(RESERVATION, Map.of("on_start", "leave"), TRUST);

        assertDone(acting.onStart(left));
        assertThat(server.status).isEqualTo(SHELVED);
        assertThat(nova.changes()).isEmpty();

        server.status = "ACTIVE";
        assertDone(acting.onEnd(left));
        assertThat(server.status).isEqualTo(SHELVED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ACTIVE", SHELVED})
    void a_start_waits_for_a_server_of_another_lease_and_an_end_keeps_it(String status) {
        server.status = status;
        hasAnother(server.id);
        Assignment delete = assignment(RESERVATION, Map.of("on_end", "delete"), TRUST);

        assertDone(acting.prepare(delete));
        assertFailed(acting.onStart(delete), Fault.Kind.RETRYABLE);
        assertDone(acting.onEnd(delete));

        assertThat(nova.changes()).isEmpty();
        assertThat(nova.find(server.id)).isPresent();

        others.clear();
        assertDone(acting.onStart(delete));
        assertThat(server.metadata).containsEntry(MARK, RESERVATION.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ACTIVE", SHELVED})
    void a_stale_reservation_tag_does_not_block_a_start(String status) {
        server.status = status;
        server.metadata.put(MARK, OTHER.toString());
        nova.takeTime(Integer.MAX_VALUE);
        acting.onStart(assignment());
        nova.takeTime(0);
        server.task = null;

        assertDone(acting.onStart(assignment()));

        assertThat(server.status).isEqualTo("ACTIVE");
        assertThat(server.metadata).containsEntry(MARK, RESERVATION.toString());
    }

    @Test
    void a_missing_or_foreign_server_is_not_changed() {
        FakeServer theirs = nova.server("p2", "ACTIVE");
        theirs.metadata.put(MARK, RESERVATION.toString());
        for (String id : List.of(theirs.id, UUID.randomUUID().toString())) {
            Assignment assignment =
                    assignment(RESERVATION, Map.of("server_id", id, "on_end", "delete"), TRUST);
            assertDone(acting.prepare(assignment));
            assertFailed(acting.onStart(assignment), Fault.Kind.INSUFFICIENT_RESOURCES);
            assertDone(acting.onEnd(assignment));
        }
        server.status = "SOFT_DELETED";
        assertFailed(acting.onStart(assignment()), Fault.Kind.INSUFFICIENT_RESOURCES);
        assertThat(nova.changes()).isEmpty();
    }

    @Test
    void a_start_with_on_start_leave_does_not_change_a_rescued_server() {
        server.status = "RESCUE";
        assertDone(acting.onStart(assignment(RESERVATION, Map.of("on_start", "leave"), TRUST)));
        assertThat(nova.changes()).isEmpty();
    }

    @Test
    void a_survey_reads_all_pages() {
        for (int i = 0; i < 4; i++) {
            nova.server("p1", "ACTIVE");
        }
        FakeServer last = nova.server("p1", "SHUTOFF");
        last.metadata.put(MARK, OTHER.toString());
        nova.server("p1", "ACTIVE").metadata.put(MARK, "mine");

        assertThat(acting.survey())
                .isEqualTo(
                        new Survey.Seen(
                                Map.of(
                                        OTHER,
                                        List.of("server/nova SHUTOFF reservation:" + OTHER))));
    }
}
