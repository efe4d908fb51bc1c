package org.leasehold.resource.openstack.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;

import java.util.List;

/** The adjustments of reservations of volumes. */
class VolumeAdjustmentsTest extends OpenStackVolumesFixture {

    @Test
    void an_adjustment_extends_the_same_volume_attached_or_not() {
        assertDone(start(wish()));
        String id = createdVolume().id;
        assertDone(acting.onAdjust(assignment(wish("size", 30), null), List.of()));
        assertThat(createdVolume().size).isEqualTo(30);
        cinder.attach(createdVolume(), "server-1", "/dev/vdb");

        assertDone(adjust(wish("size", 40)));
        assertDone(adjust(wish("size", 40)));

        assertThat(createdVolume().id).isEqualTo(id);
        assertThat(createdVolume().size).isEqualTo(40);
        assertThat(createdVolume().attachments).hasSize(1);
        String extend = "POST /volumes/" + id + "/action";
        assertThat(cinder.changes()).containsExactly("POST /volumes", extend, extend);
    }

    @Test
    void an_adjustment_extends_a_volume_whose_type_has_changed() {
        assertDone(start(wish()));
        createdVolume().type = "silver";

        assertDone(adjust(wish("size", 30)));

        assertThat(cinder.volumes()).hasSize(1);
        assertThat(createdVolume().size).isEqualTo(30);
    }

    @Test
    void a_failed_adjustment_keeps_a_volume_in_status_error() {
        assertDone(start(wish()));
        FakeVolume broken = createdVolume();
        broken.status = "error";

        assertFailed(adjust(wish("size", 30)), Fault.Kind.RETRYABLE);

        assertThat(cinder.volumes()).containsExactly(broken);
        assertThat(broken.status).isEqualTo("error");
    }

    @Test
    void a_failed_extension_of_a_volume_is_retryable() {
        assertDone(start(wish()));
        cinder.setFull("gold", true);
        assertFault(
                adjust(wish("size", 30)),
                Fault.Kind.RETRYABLE,
                "The volume %s (available) did not grow to 30 GiB".formatted(createdVolume().id));
        createdVolume().status = "backing-up";
        assertFault(
                adjust(wish("size", 30)),
                Fault.Kind.RETRYABLE,
                "The volume %s (backing-up) is not to be had for that\n%s"
                        .formatted(
                                createdVolume().id, "Volume status must be available to extend"));
        assertThat(createdVolume().size).isEqualTo(20);
    }
}
