package org.leasehold.resource.openstack.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The volumes that outlive their reservations, and volumes that existed before. */
class KeptVolumesTest extends OpenStackVolumesFixture {

    @Test
    void a_kept_volume_survives_the_deletion_of_the_server_booted_from_it() {
        assertDone(start(wish()));
        FakeVolume volume = createdVolume();
        cinder.attach(volume, "booted", "/dev/vda").takesAlong = true;

        end(wish("on_end", "detach"));

        assertThat(cinder.servers()).isEmpty();
        assertThat(cinder.volumes()).containsExactly(volume);
    }

    @Test
    void a_volume_that_outlives_the_end_loses_the_reservation_tag() {
        for (String end : List.of("snapshot", "detach", "keep")) {
            assertDone(start(wish("on_end", end)));
            FakeVolume volume = createdVolume();
            cinder.attach(volume, "server-1", "/dev/vdb");

            assertDone(acting.onEnd(assignment(wish("on_end", end), TRUST)));
            assertDone(acting.onEnd(assignment(wish("on_end", end), TRUST)));

            assertThat(acting.inspect(RESERVATION)).isEmpty();
            assertThat(cinder.volumes()).contains(volume);
            assertThat(volume.metadata).isEmpty();
            assertThat(volume.attachments).hasSize(end.equals("keep") ? 1 : 0);
            assertThat(cinder.snapshots())
                    .filteredOn(snapshot -> snapshot.volume().equals(volume.id))
                    .hasSize(end.equals("snapshot") ? 1 : 0);
        }
    }

    @Test
    void a_volume_stays_without_a_snapshot_if_trust_or_quota_is_missing() {
        Map<String, @Nullable Object> wish = wish("on_end", "snapshot");
        assertDone(start(wish));
        assertDone(acting.onEnd(assignment(wish, TRUST)));
        assertThat(cinder.snapshots()).extracting(FakeSnapshot::project).containsExactly("p1");

        assertDone(start(wish));
        cinder.answerNext(413, "SnapshotLimitExceeded");
        assertDone(acting.onEnd(assignment(wish, TRUST)));
        assertDone(start(wish));
        assertDone(acting.onEnd(assignment(wish, null)));
        assertDone(start(wish));
        cinder.keystone().forgetTrusts();
        assertDone(acting.onEnd(assignment(wish, TRUST)));

        assertThat(cinder.snapshots()).hasSize(1);
        assertThat(cinder.volumes()).hasSize(4).allMatch(volume -> volume.metadata.isEmpty());
    }

    @Test
    void a_volume_stays_in_the_reservation_until_the_snapshot_succeeds() {
        Map<String, @Nullable Object> wish = wish("on_end", "snapshot");
        assertDone(start(wish));
        cinder.setFull("gold", true);
        assertFailed(acting.onEnd(assignment(wish, TRUST)), Fault.Kind.RETRYABLE);
        assertThat(acting.inspect(RESERVATION)).hasSize(1);

        cinder.setFull("gold", false);
        assertDone(acting.onEnd(assignment(wish, TRUST)));
        assertThat(cinder.snapshots()).hasSize(1);
        assertThat(cinder.snapshots().getFirst().status).isEqualTo("available");
    }

    @Test
    void an_existing_volume_is_tagged_and_released_without_a_trust() {
        FakeVolume existing = cinder.volume("silver", 7, "p1");
        existing.metadata.put("reservation", "of a table");
        Map<String, @Nullable Object> wish = Map.of("volume_id", existing.id);
        Assignment assignment = assignment(wish, null);

        assertThat(acting.onStart(assignment))
                .isEqualTo(new Result.Done(Map.of("volume_id", existing.id)));
        assertDone(acting.onStart(assignment));
        assertThat(existing.metadata)
                .isEqualTo(Map.of("reservation", "of a table", MARK, RESERVATION.toString()));
        cinder.attach(existing, "server-1", "/dev/vdb");
        assertDone(acting.onEnd(assignment));

        assertThat(existing.metadata).isEqualTo(Map.of("reservation", "of a table"));
        assertThat(existing.attachments).isEmpty();
        assertThat(cinder.volumes()).containsExactly(existing);
    }

    @Test
    void a_start_fails_on_a_missing_volume_or_one_of_another_project() {
        FakeVolume theirs = cinder.volume("silver", 7, "p2");
        for (String id : List.of(theirs.id, UUID.randomUUID().toString())) {
            assertFault(
                    acting.onStart(assignment(Map.of("volume_id", id), null)),
                    Fault.Kind.INSUFFICIENT_RESOURCES,
                    "The project has no volume " + id);
        }
        assertThat(cinder.changes()).isEmpty();
    }

    @Test
    void a_start_is_retryable_while_another_lease_has_the_volume() {
        FakeVolume leased = cinder.volume("silver", 7, "p1");
        leased.metadata.put(MARK, UUID.randomUUID().toString());
        Assignment next = assignment(Map.of("volume_id", leased.id), null);
        assertFault(
                acting.onStart(next),
                Fault.Kind.RETRYABLE,
                "The volume %s (available) is in another lease".formatted(leased.id));
        assertThat(cinder.changes()).isEmpty();

        leased.metadata.clear();
        assertDone(acting.onStart(next));
    }

    @Test
    void an_adjustment_of_the_allocation_keeps_an_existing_volume() {
        FakeVolume existing = cinder.volume("gold", 7, "p1");
        Assignment own = assignment(Map.of("volume_id", existing.id, "on_end", "delete"), null);
        assertDone(acting.onStart(own));
        cinder.attach(existing, "server-1", "/dev/vdb");

        assertDone(acting.onAdjust(own, own.resources()));

        assertThat(cinder.volumes()).containsExactly(existing);
        assertThat(existing.attachments).hasSize(1);
    }
}
