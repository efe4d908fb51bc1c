package org.leasehold.resource.openstack.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;

import java.util.List;
import java.util.Map;

/** The starts of reservations of volumes, and what they wait for. */
class OpenStackVolumesTest extends OpenStackVolumesFixture {

    @Test
    void a_start_creates_a_volume_in_the_project_with_the_trust() {
        Result started = start(wish("description", "of the lab"));

        FakeVolume volume = createdVolume();
        assertThat(started).isEqualTo(new Result.Done(Map.of("volume_id", volume.id)));
        assertThat(volume.project).isEqualTo("p1");
        assertThat(volume.type).isEqualTo("gold");
        assertThat(volume.size).isEqualTo(20);
        assertThat(volume.name).isEqualTo("data");
        assertThat(volume.description).isEqualTo("of the lab");
        assertThat(volume.metadata).isEqualTo(Map.of(MARK, RESERVATION.toString()));
        assertThat(acting.inspect(RESERVATION))
                .containsExactly("volume/gold 20 GiB reservation:" + RESERVATION);
    }

    @Test
    void a_start_without_a_trust_is_denied_and_creates_no_volume() {
        assertFailed(acting.onStart(assignment(wish(), null)), Fault.Kind.DENIED);
        cinder.keystone().forgetTrusts();
        assertFailed(start(wish()), Fault.Kind.DENIED);
        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void start_adjustment_and_end_wait_for_slow_operations() {
        cinder.takeTime(7);
        assertDone(start(wish()));
        assertThat(createdVolume().status).isEqualTo("available");
        assertDone(adjust(wish("size", 30)));
        assertThat(createdVolume().size).isEqualTo(30);
        end(wish());
        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void a_retry_after_a_timeout_does_not_create_a_second_volume() {
        cinder.takeTime(Integer.MAX_VALUE);
        assertFailed(start(wish()), Fault.Kind.RETRYABLE);
        assertFailed(start(wish()), Fault.Kind.RETRYABLE);
        assertThat(cinder.changes()).containsExactly("POST /volumes");
    }

    @Test
    void a_start_without_capacity_is_retryable_and_the_end_leaves_no_volume() {
        cinder.setFull("gold", true);
        assertFailed(start(wish()), Fault.Kind.RETRYABLE);
        end(wish());
        assertThat(cinder.volumes()).isEmpty();

        cinder.setFull("gold", false);
        assertDone(start(wish()));
        assertThat(createdVolume().status).isEqualTo("available");
    }

    @Test
    void an_exceeded_quota_fails_start_and_adjustment_with_a_message() {
        cinder.answerNext(413, "VolumeSizeExceedsAvailableQuota");
        assertFault(
                start(wish()),
                Fault.Kind.INSUFFICIENT_RESOURCES,
                "The project has no quota left for a volume of the type gold");
        assertDone(start(wish()));
        cinder.answerNext(413, "VolumeSizeExceedsAvailableQuota");
        assertFault(
                adjust(wish("size", 30)),
                Fault.Kind.INSUFFICIENT_RESOURCES,
                "The project has no quota left for 30 GiB of the volume " + createdVolume().id);
    }

    @Test
    void a_reservation_tag_on_a_foreign_volume_is_ignored() {
        FakeVolume forged = cinder.volume("gold", 1, "p2");
        forged.metadata.put(MARK, RESERVATION.toString());

        assertDone(start(wish()));
        assertThat(cinder.volumes()).hasSize(2);
        end(wish());

        assertThat(cinder.volumes()).containsExactly(forged);
    }

    @Test
    void a_lease_tag_on_a_volume_requests_a_lease_and_shows_errors() {
        LeaseTagSource tagSource = plugin.leaseTagSource().orElseThrow();
        FakeVolume existing = cinder.volume("silver", 7, "p1");
        existing.metadata.putAll(Map.of("lease_params", "{}", "role", "web"));
        cinder.volume("silver", 7, "p1").metadata.put("role", "web");
        FakeVolume broken = cinder.volume("silver", 7, "p1");
        broken.metadata.put("lease_id", "l1");
        broken.status = "error";

        LeaseTaggedObject object = only(tagSource);

        assertThat(object)
                .isEqualTo(
                        new LeaseTaggedObject(
                                existing.id,
                                new ProjectId("p1"),
                                new UserId("user-of-p1"),
                                existing.name,
                                Map.of("volume_id", existing.id),
                                Map.of("lease_params", "{}")));
        tagSource.writeError(object, "end is missing");
        assertThat(only(tagSource).error()).isEqualTo("end is missing");
        tagSource.writeError(object, null);
        tagSource.writeError(object, null);
        assertThat(existing.metadata).isEqualTo(Map.of("lease_params", "{}", "role", "web"));
    }

    private static LeaseTaggedObject only(LeaseTagSource tagSource) {
        List<LeaseTaggedObject> all =
                ((LeaseTagSource.Seen.All) tagSource.findTaggedObjects()).objects();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }
}
