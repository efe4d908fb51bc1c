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
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Share;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Acting.Survey;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.TimeOfPauses;
import org.leasehold.resource.openstack.volume.VolumesOnPaper.Snapshot;
import org.leasehold.resource.openstack.volume.VolumesOnPaper.Volume;
import org.leasehold.resource.volume.VolumePlanning;

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
    private static final TrustId TRUST = new TrustId(VolumesOnPaper.TRUST);

    private final VolumesOnPaper cinder = new VolumesOnPaper();
    private final ResourcePlugin plugin =
            OpenStackVolumesProvider.create(
                    CloudSettings.of(cinder.settings()), TimeOfPauses.looks(500));
    private final Acting acting = plugin.acting();

    @AfterEach
    void close() {
        plugin.close();
        cinder.close();
    }

    @Test
    void a_volume_is_made_in_the_project_by_the_trust_of_its_user() {
        Result started = start(wish("description", "of the lab"));

        Volume volume = its();
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
    void what_is_written_on_a_volume_asks_for_a_lease_and_its_owner_reads_what_is_wrong_there() {
        Petitioning petitioning = plugin.petitioning().orElseThrow();
        Volume mine = cinder.volume("silver", 7, "p1");
        mine.metadata.putAll(Map.of("lease_params", "{}", "role", "web"));
        cinder.volume("silver", 7, "p1").metadata.put("role", "web");
        Volume broken = cinder.volume("silver", 7, "p1");
        broken.metadata.put("lease_id", "l1");
        broken.status = "error";

        Petition petition = only(petitioning);

        assertThat(petition)
                .isEqualTo(
                        new Petition(
                                mine.id,
                                new ProjectId("p1"),
                                new UserId("user-of-p1"),
                                mine.name,
                                Map.of("volume_id", mine.id),
                                Map.of("lease_params", "{}")));
        petitioning.tell(petition, "end is missing");
        assertThat(only(petitioning).told()).isEqualTo("end is missing");
        petitioning.tell(petition, null);
        petitioning.tell(petition, null);
        assertThat(mine.metadata).isEqualTo(Map.of("lease_params", "{}", "role", "web"));
    }

    private static Petition only(Petitioning petitioning) {
        List<Petition> all = ((Petitioning.Seen.All) petitioning.petitions()).petitions();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @Test
    void without_a_trust_there_is_no_volume() {
        assertFailed(acting.onStart(assignment(wish(), null)), Fault.Kind.DENIED);
        cinder.keystone().forgetTrusts();
        assertFailed(start(wish()), Fault.Kind.DENIED);
        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void what_takes_time_is_waited_for() {
        cinder.takeTime(7);
        assertDone(start(wish()));
        assertThat(its().status).isEqualTo("available");
        assertDone(adjust(wish("size", 30)));
        assertThat(its().size).isEqualTo(30);
        end(wish());
        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void what_takes_too_long_is_gone_on_with_and_not_begun_anew() {
        cinder.takeTime(Integer.MAX_VALUE);
        assertFailed(start(wish()), Fault.Kind.RETRYABLE);
        assertFailed(start(wish()), Fault.Kind.RETRYABLE);
        assertThat(cinder.changes()).containsExactly("POST /volumes");
    }

    @Test
    void a_volume_for_which_there_is_no_room_is_taken_away_and_asked_for_again() {
        cinder.setFull("gold", true);
        assertFailed(start(wish()), Fault.Kind.RETRYABLE);
        end(wish());
        assertThat(cinder.volumes()).isEmpty();

        cinder.setFull("gold", false);
        assertDone(start(wish()));
        assertThat(its().status).isEqualTo("available");
    }

    @Test
    void a_volume_that_breaks_while_it_is_leased_is_not_taken_away() {
        assertDone(start(wish()));
        Volume broken = its();
        broken.status = "error";

        assertFailed(adjust(wish("size", 30)), Fault.Kind.RETRYABLE);

        assertThat(cinder.volumes()).containsExactly(broken);
        assertThat(broken.status).isEqualTo("error");
    }

    @Test
    void a_quota_that_is_used_up_is_said() {
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
                "The project has no quota left for 30 GiB of the volume " + its().id);
    }

    @Test
    void a_volume_grows_where_it_is_attached_or_not_and_without_a_trust() {
        assertDone(start(wish()));
        String id = its().id;
        assertDone(acting.onAdjust(assignment(wish("size", 30), null), List.of()));
        assertThat(its().size).isEqualTo(30);
        cinder.attach(its(), "server-1", "/dev/vdb");

        assertDone(adjust(wish("size", 40)));
        assertDone(adjust(wish("size", 40)));

        assertThat(its().id).isEqualTo(id);
        assertThat(its().size).isEqualTo(40);
        assertThat(its().attachments).hasSize(1);
        String extend = "POST /volumes/" + id + "/action";
        assertThat(cinder.changes()).containsExactly("POST /volumes", extend, extend);
    }

    @Test
    void a_volume_whose_type_its_holder_has_changed_is_still_the_one_that_grows() {
        assertDone(start(wish()));
        its().type = "silver";

        assertDone(adjust(wish("size", 30)));

        assertThat(cinder.volumes()).hasSize(1);
        assertThat(its().size).isEqualTo(30);
    }

    @Test
    void a_volume_that_cannot_grow_is_tried_again() {
        assertDone(start(wish()));
        cinder.setFull("gold", true);
        assertFault(
                adjust(wish("size", 30)),
                Fault.Kind.RETRYABLE,
                "The volume %s (available) did not grow to 30 GiB".formatted(its().id));
        its().status = "backing-up";
        assertFault(
                adjust(wish("size", 30)),
                Fault.Kind.RETRYABLE,
                "The volume %s (backing-up) is not to be had for that\n%s"
                        .formatted(its().id, "Volume status must be available to extend"));
        assertThat(its().size).isEqualTo(20);
    }

    @Test
    void what_another_project_marks_is_neither_taken_for_its_own_nor_deleted() {
        Volume forged = cinder.volume("gold", 1, "p2");
        forged.metadata.put(MARK, RESERVATION.toString());

        assertDone(start(wish()));
        assertThat(cinder.volumes()).hasSize(2);
        end(wish());

        assertThat(cinder.volumes()).containsExactly(forged);
    }

    @Test
    void the_end_deletes_an_attached_volume_with_its_snapshots_and_nothing_else() {
        Volume others = cinder.volume("gold", 1, "p1");
        cinder.attach(others, "server-1", "/dev/vdc");
        assertDone(start(wish()));
        Volume volume = its();
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
    void a_server_that_started_from_the_volume_goes_with_it() {
        assertDone(start(wish()));
        cinder.attach(its(), "booted", "/dev/vda");
        cinder.attach(its(), "other", "/dev/vdb");

        end(wish("on_end", "detach"));

        assertThat(cinder.servers()).containsExactly("other");
        assertThat(cinder.volumes()).hasSize(1);
        assertThat(cinder.volumes().getFirst().attachments).isEmpty();
    }

    @Test
    void no_server_goes_because_a_holder_says_that_the_volume_is_attached_to_it() {
        cinder.server("anothers", "p2");
        assertDone(start(wish()));
        cinder.attachByCinderAlone(its(), "anothers");

        end(wish());

        assertThat(cinder.servers()).containsExactly("anothers");
        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void a_server_of_another_project_that_started_from_the_volume_keeps_the_end_trying() {
        cinder.server("anothers", "p2");
        assertDone(start(wish()));
        cinder.attach(its(), "anothers", "/dev/vda");

        assertFailed(acting.onEnd(assignment(wish(), null)), Fault.Kind.RETRYABLE);

        assertThat(cinder.servers()).containsExactly("anothers");
    }

    @Test
    void a_volume_that_is_to_stay_does_not_go_with_the_server_that_started_from_it() {
        assertDone(start(wish()));
        Volume volume = its();
        cinder.attach(volume, "booted", "/dev/vda").takesAlong = true;

        end(wish("on_end", "detach"));

        assertThat(cinder.servers()).isEmpty();
        assertThat(cinder.volumes()).containsExactly(volume);
    }

    @Test
    void servers_that_are_shelved_or_suspended_do_not_keep_the_volume() {
        assertDone(start(wish()));
        cinder.attach(its(), "asleep", "/dev/vdb").status = "SUSPENDED";
        cinder.attach(its(), "away", "/dev/vdb").status = "SHELVED_OFFLOADED";
        its().status = "reserved";

        end(wish());

        assertThat(cinder.volumes()).isEmpty();
        assertThat(cinder.servers()).containsExactly("asleep", "away");
    }

    @Test
    void a_volume_that_is_still_being_made_is_deleted_as_soon_as_it_is() {
        assertDone(start(wish()));
        its().begin("creating", "available", 3);

        end(wish());

        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void a_volume_that_is_copied_when_the_lease_ends_is_tried_again() {
        assertDone(start(wish("on_end", "keep")));
        its().status = "uploading";

        assertFailed(acting.onEnd(assignment(wish("on_end", "keep"), null)), Fault.Kind.RETRYABLE);
    }

    @Test
    void what_is_to_stay_stays_and_bears_no_reservations_name_any_more() {
        for (String end : List.of("snapshot", "detach", "keep")) {
            assertDone(start(wish("on_end", end)));
            Volume volume = its();
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
    void a_snapshot_is_the_projects_and_without_trust_or_quota_the_volume_stays_without_one() {
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
    void a_snapshot_that_fails_is_taken_again_and_the_volume_is_the_reservations_until_then() {
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
    void a_volume_that_is_broken_is_deleted_all_the_same(String status) {
        assertDone(start(wish()));
        its().status = status;
        cinder.snapshot(its(), "p1");
        end(wish());
        assertThat(cinder.volumes()).isEmpty();
    }

    @Test
    void what_cinder_does_not_let_go_keeps_the_end_trying() {
        assertDone(start(wish()));
        its().status = "awaiting-transfer";
        assertFault(
                acting.onEnd(assignment(wish(), null)),
                Fault.Kind.RETRYABLE,
                "The volume %s (awaiting-transfer) is not to be had for that\n%s"
                        .formatted(its().id, "Volume status must be available or error"));
    }

    @Test
    void a_projects_own_volume_is_marked_and_given_back_without_any_trust() {
        Volume mine = cinder.volume("silver", 7, "p1");
        mine.metadata.put("reservation", "of a table");
        Map<String, @Nullable Object> wish = Map.of("volume_id", mine.id);
        Assignment assignment = assignment(wish, null);

        assertThat(acting.onStart(assignment))
                .isEqualTo(new Result.Done(Map.of("volume_id", mine.id)));
        assertDone(acting.onStart(assignment));
        assertThat(mine.metadata)
                .isEqualTo(Map.of("reservation", "of a table", MARK, RESERVATION.toString()));
        cinder.attach(mine, "server-1", "/dev/vdb");
        assertDone(acting.onEnd(assignment));

        assertThat(mine.metadata).isEqualTo(Map.of("reservation", "of a table"));
        assertThat(mine.attachments).isEmpty();
        assertThat(cinder.volumes()).containsExactly(mine);
    }

    @Test
    void a_volume_of_another_project_or_none_is_not_leased() {
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
    void a_volume_of_another_lease_is_waited_for() {
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
    void what_is_counted_for_a_projects_own_volume_may_move_and_the_volume_does_not() {
        Volume mine = cinder.volume("gold", 7, "p1");
        Assignment own = assignment(Map.of("volume_id", mine.id, "on_end", "delete"), null);
        assertDone(acting.onStart(own));
        cinder.attach(mine, "server-1", "/dev/vdb");

        assertDone(acting.onAdjust(own, own.resources()));

        assertThat(cinder.volumes()).containsExactly(mine);
        assertThat(mine.attachments).hasSize(1);
    }

    @Test
    void a_type_has_as_much_room_as_the_largest_of_its_pools() {
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
    void nothing_is_promised_of_what_others_have_been_given_or_have_used(
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
    void a_type_whose_room_nobody_tells_cannot_be_leased() {
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
    void a_survey_finds_what_bears_a_reservations_name_among_all_volumes() {
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

    private Volume its() {
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
