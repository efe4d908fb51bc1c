package org.leasehold.resource.openstack.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.volume.FakeCinder.Snapshot;
import org.leasehold.resource.openstack.volume.FakeCinder.Volume;
import org.leasehold.resource.volume.VolumePlanning;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

class OpenStackVolumesTest {

    private static final ReservationId RESERVATION =
            new ReservationId(UUID.fromString("0cd4d562-a4bf-409f-934f-82ec33c76bd7"));
    private static final String MARK = "leasehold:reservation";
    private static final TrustId TRUST = new TrustId(FakeCinder.TRUST);

    private final FakeCinder cinder = new FakeCinder();
    private final ResourcePlugin plugin =
            OpenStackVolumesProvider.create(
                    CloudSettings.of(cinder.settings()), FakePollingTime.looks(500));
    private final Acting acting = plugin.acting();

    @AfterEach
    void close() {
        plugin.close();
        cinder.close();
    }

    @Test
    void a_start_creates_a_volume_in_the_project_with_the_trust() {
        Result started = start(wish("description", "of the lab"));

        Volume volume = createdVolume();
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
    void a_lease_tag_on_a_volume_requests_a_lease_and_shows_errors() {
        LeaseTagSource tagSource = plugin.leaseTagSource().orElseThrow();
        Volume existing = cinder.volume("silver", 7, "p1");
        existing.metadata.putAll(Map.of("lease_params", "{}", "role", "web"));
        cinder.volume("silver", 7, "p1").metadata.put("role", "web");
        Volume broken = cinder.volume("silver", 7, "p1");
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
    void a_failed_adjustment_keeps_a_volume_in_status_error() {
        assertDone(start(wish()));
        Volume broken = createdVolume();
        broken.status = "error";

        assertFailed(adjust(wish("size", 30)), Fault.Kind.RETRYABLE);

        assertThat(cinder.volumes()).containsExactly(broken);
        assertThat(broken.status).isEqualTo("error");
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

    @Test
    void a_reservation_tag_on_a_foreign_volume_is_ignored() {
        Volume forged = cinder.volume("gold", 1, "p2");
        forged.metadata.put(MARK, RESERVATION.toString());

        assertDone(start(wish()));
        assertThat(cinder.volumes()).hasSize(2);
        end(wish());

        assertThat(cinder.volumes()).containsExactly(forged);
    }

    @Test
    void an_end_deletes_an_attached_volume_with_snapshots_and_nothing_else() {
        Volume others = cinder.volume("gold", 1, "p1");
        cinder.attach(others, "server-1", "/dev/vdc");
        assertDone(start(wish()));
        Volume volume = createdVolume();
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
    void a_kept_volume_survives_the_deletion_of_the_server_booted_from_it() {
        assertDone(start(wish()));
        Volume volume = createdVolume();
        cinder.attach(volume, "booted", "/dev/vda").takesAlong = true;

        end(wish("on_end", "detach"));

        assertThat(cinder.servers()).isEmpty();
        assertThat(cinder.volumes()).containsExactly(volume);
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

    @Test
    void a_volume_that_outlives_the_end_loses_the_reservation_tag() {
        for (String end : List.of("snapshot", "detach", "keep")) {
            assertDone(start(wish("on_end", end)));
            Volume volume = createdVolume();
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
        assertThat(cinder.snapshots()).extracting(Snapshot::project).containsExactly("p1");

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

    @Test
    void an_existing_volume_is_tagged_and_released_without_a_trust() {
        Volume existing = cinder.volume("silver", 7, "p1");
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
        Volume theirs = cinder.volume("silver", 7, "p2");
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
        Volume leased = cinder.volume("silver", 7, "p1");
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
        Volume existing = cinder.volume("gold", 7, "p1");
        Assignment own = assignment(Map.of("volume_id", existing.id, "on_end", "delete"), null);
        assertDone(acting.onStart(own));
        cinder.attach(existing, "server-1", "/dev/vdb");

        assertDone(acting.onAdjust(own, own.resources()));

        assertThat(cinder.volumes()).containsExactly(existing);
        assertThat(existing.attachments).hasSize(1);
    }

    @Test
    void the_free_capacity_of_a_type_is_that_of_the_largest_pool() {
        cinder.pool("gold-backend", Map.of("total_capacity_gb", 5000, "free_capacity_gb", 4000));
        assertThat(room("gold")).isEqualTo(4000L);
        assertThat(room("silver")).isEqualTo(1000L);
        cinder.type("anywhere", "");
        assertThat(room("anywhere")).isEqualTo(4000L);
    }

    @ParameterizedTest
    @CsvSource({
        // total, free, provisioned, reserved, room
        "1000, 1000, 0, 0, 1000",
        "1000, 400, 100, 0, 400",
        "1000, 900, 700, 0, 300",
        "1000, 900, 700, 10, 200",
        "1000, 900, 5000, 0, 0",
        "95.9, 95.9, 0, 5, 91",
    })
    void the_free_capacity_of_a_pool_excludes_used_and_provisioned_space(
            String total, String free, String provisioned, String reserved, long room) {
        cinder.clearPools();
        cinder.pool(
                "gold-backend",
                Map.of(
                        "total_capacity_gb", total,
                        "free_capacity_gb", free,
                        "provisioned_capacity_gb", provisioned,
                        "reserved_percentage", reserved,
                        "thin_provisioning_support", true,
                        "max_over_subscription_ratio", "20.0"));
        assertThat(room("gold")).isEqualTo(room);
    }

    @Test
    void a_volume_type_without_known_capacity_cannot_be_leased() {
        cinder.clearPools();
        assertThat(acting.discover("gold")).isInstanceOf(Discovery.Unfit.class);
        cinder.pool(
                "gold-backend",
                Map.of("total_capacity_gb", "infinite", "free_capacity_gb", "unknown"));
        assertThat(acting.discover("gold"))
                .isEqualTo(
                        new Discovery.Unfit(
                                "No pool of the volume type gold says how much room it has"));
        assertThat(acting.discover("lead")).isEqualTo(new Discovery.NotFound());
    }

    @Test
    void a_survey_finds_volumes_with_a_valid_reservation_tag() {
        for (int i = 0; i < 5; i++) {
            cinder.volume("gold", i + 1, "p2");
        }
        cinder.volume("gold", 1, "p2").metadata.put(MARK, "of a table");
        assertDone(start(wish()));

        assertThat(acting.survey())
                .isEqualTo(
                        new Survey.Seen(
                                Map.of(
                                        RESERVATION,
                                        List.of("volume/gold 20 GiB reservation:" + RESERVATION))));
    }

    @Test
    void a_survey_goes_on_when_a_volume_is_deleted_while_it_reads() {
        assertDone(start(wish()));
        cinder.flee(cinder.volume("gold", 1, "p2"));
        cinder.volume("gold", 1, "p2");

        assertThat(acting.survey()).isInstanceOf(Survey.Seen.class);

        assertThat(cinder.volumes()).hasSize(2);
    }

    private Volume createdVolume() {
        return cinder.volumes().stream()
                .filter(volume -> volume.project.equals("p1"))
                .filter(volume -> RESERVATION.toString().equals(volume.metadata.get(MARK)))
                .findFirst()
                .orElseThrow();
    }

    private @Nullable Object room(String type) {
        return ((Discovery.Found) acting.discover(type)).attributes().get("VOLUME_GB");
    }

    private Result start(Map<String, @Nullable Object> wish) {
        return acting.onStart(assignment(wish, TRUST));
    }

    private Result adjust(Map<String, @Nullable Object> wish) {
        return acting.onAdjust(assignment(wish, TRUST), List.of());
    }

    private void end(Map<String, @Nullable Object> wish) {
        assertDone(acting.onEnd(assignment(wish, null)));
    }

    private static Map<String, @Nullable Object> wish() {
        return Map.of("volume_type", "gold", "size", 20, "name", "data");
    }

    private static Map<String, @Nullable Object> wish(String name, Object value) {
        Map<String, @Nullable Object> wish = new HashMap<>(wish());
        wish.put(name, value);
        return wish;
    }

    private static Assignment assignment(
            Map<String, @Nullable Object> wish, @Nullable TrustId trust) {
        return new Assignment(
                new LeaseId(UUID.fromString("7c0d3f39-1c9c-4b1c-ae77-a0e2a6bfb2a5")),
                RESERVATION,
                new ProjectId("p1"),
                new UserId("u1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                ((Plan.Planned) new VolumePlanning().plan(wish)).parameters(),
                List.of(
                        new Allocation(
                                new ResourceId(1),
                                "gold",
                                Map.of(),
                                new Share(20, Map.of("VOLUME_GB", 1L)))),
                () -> true,
                _ -> Optional.empty(),
                trust);
    }

    private static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    private static void assertFailed(Result result, Fault.Kind kind) {
        assertThat(result).isInstanceOf(Result.Failed.class);
        assertThat(((Result.Failed) result).fault().kind()).isEqualTo(kind);
    }

    private static void assertFault(Result result, Fault.Kind kind, String message) {
        assertThat(result).isEqualTo(new Result.Failed(new Fault(kind, message)));
    }
}
