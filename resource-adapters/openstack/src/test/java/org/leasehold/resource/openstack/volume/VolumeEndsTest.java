package org.leasehold.resource.openstack.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.lease.Fault;

/** The deletion of volumes at the end of reservations. */
class VolumeEndsTest extends OpenStackVolumesFixture {

    @Test
    void an_end_deletes_an_attached_volume_with_snapshots_and_nothing_else() {
        FakeVolume others = cinder.volume("gold", 1, "p1");
        cinder.attach(others, "server-1", "/dev/vdc");
        assertDone(start(wish()));
        FakeVolume volume = createdVolume();
        cinder.attach(volume, "server-1", "/dev/vdb");
        cinder.attach(volume, "server-2", "/dev/vdb");
        cinder.attachByCinderAlone(volume, "");
        cinder.attach(volume, "gone", "/dev/vdb");
        cinder.forgetServer("gone");
        cinder.snapshot(volume, "p1");
        cinder.keystone().forgetTrusts();

        end(wish());
        end(wish());

        assertThat(cinder.volumes()).containsExactly(others);
        assertThat(others.attachments).hasSize(1);
        assertThat(cinder.snapshots()).isEmpty();
        assertThat(cinder.servers()).containsExactly("server-1", "server-2");
        assertThat(acting.inspect(RESERVATION)).isEmpty();
    }

    @Test
    void an_end_deletes_a_server_that_booted_from_the_volume() {
        assertDone(start(wish()));
        cinder.attach(createdVolume(), "booted", "/dev/vda");
        cinder.attach(createdVolume(), "other", "/dev/vdb");

        end(wish("on_end", "detach"));

        assertThat(cinder.servers()).containsExactly("other");
        assertThat(cinder.volumes()).hasSize(1);
        assertThat(cinder.volumes().getFirst().attachments).isEmpty();
    }

    @Test
    void an_attachment_known_only_to_cinder_does_not_delete_the_server() {
        cinder.server("anothers", "p2");
        assertDone(start(wish()));
        cinder.attachByCinderAlone(createdVolume(), "anothers");

        end(wish());

        assertThat(cinder.servers()).containsExactly("anothers");
        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void an_end_is_retryable_while_a_foreign_server_runs_from_the_volume() {
        cinder.server("anothers", "p2");
        assertDone(start(wish()));
        cinder.attach(createdVolume(), "anothers", "/dev/vda");

        assertFailed(acting.onEnd(assignment(wish(), null)), Fault.Kind.RETRYABLE);

        assertThat(cinder.servers()).containsExactly("anothers");
    }

    @Test
    void an_end_deletes_a_volume_of_shelved_and_suspended_servers() {
        assertDone(start(wish()));
        cinder.attach(createdVolume(), "asleep", "/dev/vdb").status = "SUSPENDED";
        cinder.attach(createdVolume(), "away", "/dev/vdb").status = "SHELVED_OFFLOADED";
        createdVolume().status = "reserved";

        end(wish());

        assertThat(cinder.volumes()).isEmpty();
        assertThat(cinder.servers()).containsExactly("asleep", "away");
    }

    @Test
    void an_end_deletes_a_volume_that_is_still_being_created() {
        assertDone(start(wish()));
        createdVolume().begin("creating", "available", 3);

        end(wish());

        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void an_end_is_retryable_while_the_volume_is_uploading() {
        assertDone(start(wish("on_end", "keep")));
        createdVolume().status = "uploading";

        assertFailed(acting.onEnd(assignment(wish("on_end", "keep"), null)), Fault.Kind.RETRYABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "error_extending", "error_deleting"})
    void an_end_deletes_a_volume_in_an_error_status(String status) {
        assertDone(start(wish()));
        createdVolume().status = status;
        cinder.snapshot(createdVolume(), "p1");
        end(wish());
        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void an_end_is_retryable_while_cinder_refuses_to_delete_the_volume() {
        assertDone(start(wish()));
        createdVolume().status = "awaiting-transfer";
        assertFault(
                acting.onEnd(assignment(wish(), null)),
                Fault.Kind.RETRYABLE,
                "The volume %s (awaiting-transfer) is not to be had for that\n%s"
                        .formatted(createdVolume().id, "Volume status must be available or error"));
    }
}
