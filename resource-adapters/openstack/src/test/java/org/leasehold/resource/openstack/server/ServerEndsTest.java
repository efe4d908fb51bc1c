package org.leasehold.resource.openstack.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.server.FakeNovaServers.Image;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The servers at the end of reservations. */
class ServerEndsTest extends OpenStackServersFixture {

    @Test
    void an_end_does_not_change_a_server_that_another_lease_has_by_then() {
        Assignment stop = assignment(RESERVATION, Map.of("on_end", "stop"), TRUST);
        for (Assignment ended : List.of(assignment(), stop)) {
            server.status = SHELVED;
            server.metadata.clear();
            server.unshelving(() -> hasAnother(server.id));

            assertDone(acting.onEnd(ended));

            assertThat(server.status).isEqualTo("ACTIVE");
            assertThat(nova.changes()).isEmpty();
        }
    }

    @Test
    void an_end_shelves_a_server_with_a_forged_reservation_tag() {
        hasAnother(UUID.randomUUID().toString());
        for (String written : List.of(OTHER.toString(), UUID.randomUUID().toString(), "mine")) {
            server.status = "ACTIVE";
            assertDone(acting.onStart(assignment()));
            server.metadata.put(MARK, written);

            assertDone(acting.onEnd(assignment()));

            assertThat(server.status).isEqualTo(SHELVED);
            assertThat(server.metadata).isEmpty();
        }
    }

    @Test
    void an_end_shelves_a_server_with_a_stale_tag_that_the_user_unshelved() {
        server.status = SHELVED;
        server.metadata.put(MARK, OTHER.toString());
        Assignment left = assignment(RESERVATION, Map.of("on_start", "leave"), TRUST);
        assertDone(acting.onStart(left));
        server.status = "ACTIVE";

        assertDone(acting.onEnd(left));

        assertThat(server.status).isEqualTo(SHELVED);
    }

    @ParameterizedTest
    @CsvSource({
        "shelve, ACTIVE, SHELVED_OFFLOADED",
        "shelve, SHUTOFF, SHELVED_OFFLOADED",
        "shelve, SHELVED, SHELVED",
        "stop, ACTIVE, SHUTOFF",
        "stop, PAUSED, PAUSED",
        "stop, SHELVED_OFFLOADED, SHELVED_OFFLOADED",
        "suspend, ACTIVE, SUSPENDED",
        "suspend, SHUTOFF, SHUTOFF",
        "stop, RESCUE, RESCUE",
        "suspend, ERROR, ERROR",
        "keep, VERIFY_RESIZE, VERIFY_RESIZE",
        "snapshot, ACTIVE, SHELVED_OFFLOADED",
        "keep, ACTIVE, ACTIVE",
        "keep, SHELVED_OFFLOADED, SHELVED_OFFLOADED"
    })
    void the_on_end_parameter_determines_the_final_server_state(
            String end, String before, String after) {
        assertDone(acting.onStart(assignment()));
        server.status = before;
        nova.takeTime(3);

        assertDone(acting.onEnd(assignment(RESERVATION, Map.of("on_end", end), TRUST)));
        assertDone(acting.onEnd(assignment(RESERVATION, Map.of("on_end", end), TRUST)));

        assertThat(server.status).isEqualTo(after);
        if (FakeNovaServers.WRITABLE.contains(before)) {
            assertThat(server.metadata).isEmpty();
        }
    }

    @Test
    void a_snapshot_creates_one_image_in_the_project() {
        server.name = "x".repeat(255);
        Assignment snapshot = assignment(RESERVATION, Map.of("on_end", "snapshot"), TRUST);
        assertDone(acting.onStart(snapshot));

        assertDone(acting.onEnd(snapshot));
        server.status = "ACTIVE";
        assertDone(acting.onEnd(snapshot));

        assertThat(nova.images())
                .containsExactly(
                        new Image(
                                "reserved_" + "x".repeat(246),
                                server.id,
                                "p1",
                                Map.of("leasehold_reservation", RESERVATION.toString())));
    }

    @Test
    void the_image_of_a_locked_server_belongs_to_the_project() {
        server.locked = true;
        assertDone(acting.onEnd(assignment(RESERVATION, Map.of("on_end", "snapshot"), TRUST)));

        assertThat(server.status).isEqualTo(SHELVED);
        assertThat(nova.images()).extracting(Image::project).containsExactly("p1");
    }

    @Test
    void an_end_with_on_end_delete_deletes_the_server() {
        Assignment delete = assignment(RESERVATION, Map.of("on_end", "delete"), TRUST);
        server.locked = true;
        nova.takeTime(3);

        assertDone(acting.onEnd(delete));
        assertDone(acting.onEnd(delete));

        assertThat(nova.find(server.id)).isEmpty();
    }

    @Test
    void an_end_deletes_a_server_that_is_still_being_unshelved() {
        server.status = SHELVED;
        nova.takeTime(Integer.MAX_VALUE);
        assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        nova.takeTime(0);

        assertDone(acting.onEnd(assignment(RESERVATION, Map.of("on_end", "delete"), TRUST)));

        assertThat(nova.find(server.id)).isEmpty();
    }

    @Test
    void an_end_that_nova_rejects_is_retryable_with_the_message_of_nova() {
        server.status = "RESCUE";
        Fault fault = assertFailed(acting.onEnd(assignment()), Fault.Kind.RETRYABLE);
        assertThat(fault.message()).contains("Cannot 'shelve' instance", "RESCUE");
    }
}
