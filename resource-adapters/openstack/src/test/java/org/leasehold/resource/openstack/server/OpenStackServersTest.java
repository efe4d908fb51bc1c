package org.leasehold.resource.openstack.server;

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
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Acting.Survey;
import org.leasehold.resource.Completing;
import org.leasehold.resource.Completing.Completion;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.SmallCloud.Said;
import org.leasehold.resource.openstack.TimeOfPauses;
import org.leasehold.resource.openstack.server.ServersOnPaper.Image;
import org.leasehold.resource.openstack.server.ServersOnPaper.Server;
import org.leasehold.resource.server.Room;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

class OpenStackServersTest {

    private static final ReservationId RESERVATION =
            new ReservationId(UUID.fromString("0cd4d562-a4bf-409f-934f-82ec33c76bd7"));
    private static final ReservationId OTHER =
            new ReservationId(UUID.fromString("b0b0d562-a4bf-409f-934f-82ec33c76bd7"));
    private static final String MARK = "leasehold:reservation";
    private static final TrustId TRUST = new TrustId(ServersOnPaper.TRUST);
    private static final String SHELVED = "SHELVED_OFFLOADED";

    private final ServersOnPaper nova = new ServersOnPaper();
    private final ResourcePlugin plugin =
            OpenStackServersProvider.create(
                    CloudSettings.of(nova.settings()), TimeOfPauses.looks(20));
    private final Acting acting = plugin.acting();
    private final Server server = nova.server("p1", "ACTIVE");
    private final Map<ReservationId, Map<String, @Nullable Object>> others = new HashMap<>();

    @AfterEach
    void close() {
        plugin.close();
        nova.close();
    }

    @Test
    void a_server_is_shelved_as_its_user_until_its_start() {
        assertDone(acting.prepare(assignment()));
        assertDone(acting.prepare(assignment()));

        assertThat(server.status).isEqualTo(SHELVED);
        assertThat(server.metadata).isEmpty();
        assertThat(nova.changes()).containsExactly("shelve as p1");
    }

    @Test
    void what_is_written_on_a_server_asks_for_a_lease_and_its_owner_reads_what_is_wrong_there() {
        Petitioning petitioning = plugin.petitioning().orElseThrow();
        nova.server("p1", "ACTIVE").metadata.put("role", "web");
        nova.server("p1", "ERROR").metadata.put("lease_id", "l1");
        nova.server("p1", "BUILD").metadata.put("lease_id", "l1");
        nova.server("p2", SHELVED).metadata.put("lease_params", "{}");
        server.metadata.putAll(Map.of("lease_id", "l1", "role", "web"));

        List<Petition> all = petitions(petitioning);

        assertThat(all)
                .extracting(Petition::project)
                .containsExactly(new ProjectId("p1"), new ProjectId("p2"));
        Petition petition = all.getFirst();
        assertThat(petition)
                .isEqualTo(
                        new Petition(
                                server.id,
                                new ProjectId("p1"),
                                new UserId("user-of-p1"),
                                "web",
                                Map.of("server_id", server.id),
                                Map.of("lease_id", "l1")));
        petitioning.tell(petition, "There is no lease l1");
        assertThat(petitions(petitioning).getFirst().told()).isEqualTo("There is no lease l1");
        petitioning.tell(petition, null);
        petitioning.tell(petition, null);
        assertThat(server.metadata).isEqualTo(Map.of("lease_id", "l1", "role", "web"));

        petitioning.tell(all.getLast(), "nobody can read that");
        assertThat(petitions(petitioning).getLast().told()).isNull();
    }

    private static List<Petition> petitions(Petitioning petitioning) {
        return ((Petitioning.Seen.All) petitioning.petitions()).petitions();
    }

    @Test
    void without_a_trust_or_for_a_user_who_has_locked_it_the_engine_shelves_it() {
        assertDone(acting.prepare(assignment(RESERVATION, Map.of(), null)));
        assertThat(server.status).isEqualTo(SHELVED);
        assertThat(nova.changes()).hasSize(1).doesNotContain("shelve as p1");

        server.status = "ACTIVE";
        server.locked = true;
        assertDone(acting.onEnd(assignment()));
        assertThat(server.status).isEqualTo(SHELVED);
    }

    @Test
    void what_its_user_may_not_do_the_engine_does() {
        nova.refuseUsers(403);
        assertDone(acting.prepare(assignment()));
        assertThat(server.status).isEqualTo(SHELVED);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 409, 413, 500, 503})
    void what_nova_cannot_do_now_is_not_done_in_its_users_stead(int status) {
        nova.refuseUsers(status);
        assertThat(acting.prepare(assignment())).isInstanceOf(Result.Failed.class);
        assertThat(server.status).isEqualTo("ACTIVE");
    }

    @Test
    void a_trust_that_is_gone_is_done_without() {
        nova.keystone().forgetTrusts();
        assertDone(acting.prepare(assignment()));
        assertThat(server.status).isEqualTo(SHELVED);
    }

    @Test
    void a_start_unshelves_it_and_then_writes_on_it_whose_it_is() {
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
    void whatever_it_does_it_runs_from_the_start(String status) {
        server.status = status;
        assertDone(acting.onStart(assignment()));
        assertThat(server.status).isEqualTo("ACTIVE");
    }

    @Test
    void a_server_that_is_on_no_host_comes_back_in_the_zone_that_has_room_for_it() {
        server.zone = "east";
        server.status = SHELVED;
        assertDone(acting.onStart(assignment()));
        assertThat(server.zone).isEqualTo("nova");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PAUSED", "RESCUE", "VERIFY_RESIZE", "ERROR"})
    void a_start_that_nova_refuses_is_tried_again_with_its_words(String status) {
        server.status = status;
        Fault fault = assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        assertThat(fault.message()).contains("Cannot 'unshelve' instance", status);
        assertThat(server.metadata).isEmpty();
    }

    @Test
    void a_cloud_that_is_full_is_asked_again() {
        server.status = SHELVED;
        nova.setFull(true);
        assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        assertThat(nova.changes()).hasSize(1);

        nova.setFull(false);
        assertDone(acting.onStart(assignment()));
    }

    @Test
    void what_takes_too_long_is_waited_for_again_and_not_asked_again() {
        server.status = SHELVED;
        nova.takeTime(Integer.MAX_VALUE);
        assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        assertThat(nova.changes()).hasSize(1);
    }

    @Test
    void a_start_may_leave_it_to_the_user() {
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
    void a_server_that_another_lease_has_is_waited_for_and_left_to_it(String status) {
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

    @Test
    void what_another_leases_start_is_about_to_unshelve_is_not_shelved_until_the_next_start() {
        server.status = SHELVED;
        server.unshelving(() -> {});

        assertDone(acting.prepare(assignment()));

        assertThat(nova.changes()).isEmpty();
    }

    @Test
    void nothing_is_done_with_a_server_that_gets_into_another_lease_meanwhile() {
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

    @ParameterizedTest
    @ValueSource(strings = {"ACTIVE", SHELVED})
    void what_an_end_could_not_take_away_keeps_nobody_from_starting(String status) {
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
    void a_holder_who_writes_something_else_on_it_keeps_it_from_nothing() {
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
    void a_server_that_its_user_unshelves_after_an_old_lease_ends_with_the_new_one() {
        server.status = SHELVED;
        server.metadata.put(MARK, OTHER.toString());
        Assignment left = assignment(RESERVATION, Map.of("on_start", "leave"), TRUST);
        assertDone(acting.onStart(left));
        server.status = "ACTIVE";

        assertDone(acting.onEnd(left));

        assertThat(server.status).isEqualTo(SHELVED);
    }

    @Test
    void a_server_that_is_gone_or_anothers_is_not_touched() {
        Server theirs = nova.server("p2", "ACTIVE");
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
    void an_end_does_what_it_is_to_do(String end, String before, String after) {
        assertDone(acting.onStart(assignment()));
        server.status = before;
        nova.takeTime(3);

        assertDone(acting.onEnd(assignment(RESERVATION, Map.of("on_end", end), TRUST)));
        assertDone(acting.onEnd(assignment(RESERVATION, Map.of("on_end", end), TRUST)));

        assertThat(server.status).isEqualTo(after);
        if (ServersOnPaper.WRITABLE.contains(before)) {
            assertThat(server.metadata).isEmpty();
        }
    }

    @Test
    void a_snapshot_is_an_image_of_the_projects_and_is_made_once() {
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
    void the_image_of_a_locked_server_is_its_users_too() {
        server.locked = true;
        assertDone(acting.onEnd(assignment(RESERVATION, Map.of("on_end", "snapshot"), TRUST)));

        assertThat(server.status).isEqualTo(SHELVED);
        assertThat(nova.images()).extracting(Image::project).containsExactly("p1");
    }

    @Test
    void a_server_is_deleted_only_if_that_was_said() {
        Assignment delete = assignment(RESERVATION, Map.of("on_end", "delete"), TRUST);
        server.locked = true;
        nova.takeTime(3);

        assertDone(acting.onEnd(delete));
        assertDone(acting.onEnd(delete));

        assertThat(nova.find(server.id)).isEmpty();
    }

    @Test
    void a_start_that_is_to_leave_it_leaves_it_where_nothing_can_be_written_either() {
        server.status = "RESCUE";
        assertDone(acting.onStart(assignment(RESERVATION, Map.of("on_start", "leave"), TRUST)));
        assertThat(nova.changes()).isEmpty();
    }

    @Test
    void a_server_is_deleted_whatever_nova_does_with_it() {
        server.status = SHELVED;
        nova.takeTime(Integer.MAX_VALUE);
        assertFailed(acting.onStart(assignment()), Fault.Kind.RETRYABLE);
        nova.takeTime(0);

        assertDone(acting.onEnd(assignment(RESERVATION, Map.of("on_end", "delete"), TRUST)));

        assertThat(nova.find(server.id)).isEmpty();
    }

    @Test
    void an_end_of_a_server_that_cannot_be_shelved_now_is_tried_again_with_novas_words() {
        server.status = "RESCUE";
        Fault fault = assertFailed(acting.onEnd(assignment()), Fault.Kind.RETRYABLE);
        assertThat(fault.message()).contains("Cannot 'shelve' instance", "RESCUE");
    }

    @Test
    void a_zone_has_the_room_of_its_hosts_that_run_and_are_not_leased_as_such() {
        nova.zone("big", "a", "b", "c", "d", "e");
        for (String host : List.of("a", "b", "c", "e")) {
            nova.hypervisor(host, "up", 8);
        }
        nova.hypervisor("d", "down", 8);
        nova.aggregate("freepool", null, "b");
        nova.aggregate(OTHER.toString(), "blazar_" + OTHER, "c");
        nova.aggregate("ssd", null, "e");

        assertThat(acting.discover("big"))
                .isEqualTo(
                        new Discovery.Found(
                                "big", null, "big", new Room("big", 16, 16_384, 160).attributes()));
    }

    @Test
    void a_zone_without_such_hosts_cannot_be_leased() {
        nova.zone("controllers");
        assertThat(acting.discover("controllers")).isInstanceOf(Discovery.Unfit.class);
        assertThat(acting.discover("none")).isEqualTo(new Discovery.NotFound());
    }

    @Test
    void the_project_is_told_of_its_own_servers_with_what_they_take() {
        assertThat(completed(server.id)).isEqualTo(new Room("nova", 2, 4096, 27).attributes());
        server.fromVolume = true;
        assertThat(completed(server.id)).isEqualTo(new Room("nova", 2, 4096, 7).attributes());
        server.status = SHELVED;
        assertThat(completed(server.id)).isEqualTo(new Room("", 2, 4096, 7).attributes());

        for (String id : List.of(nova.server("p2", "ACTIVE").id, UUID.randomUUID().toString())) {
            assertThat(completion(id)).isInstanceOf(Completion.NotFound.class);
        }
        nova.keystone().answer("compute", _ -> Said.nothing(503));
        assertThat(completion(server.id)).isInstanceOf(Completion.Unknown.class);
    }

    @Test
    void a_survey_reads_all_pages() {
        for (int i = 0; i < 4; i++) {
            nova.server("p1", "ACTIVE");
        }
        Server last = nova.server("p1", "SHUTOFF");
        last.metadata.put(MARK, OTHER.toString());
        nova.server("p1", "ACTIVE").metadata.put(MARK, "mine");

        assertThat(acting.survey())
                .isEqualTo(
                        new Survey.Seen(
                                Map.of(
                                        OTHER,
                                        List.of("server/nova SHUTOFF reservation:" + OTHER))));
    }

    /** Marks the server for another reservation, whose request names the server of this id. */
    private void hasAnother(String id) {
        server.metadata.put(MARK, OTHER.toString());
        others.put(OTHER, Map.of("server_id", id));
    }

    private Completion completion(String id) {
        return plugin.completing()
                .orElseThrow()
                .complete(
                        Map.of("server_id", id),
                        Map.of(),
                        new Completing.Asker(new ProjectId("p1"), null, "req-1"));
    }

    private @Nullable Object completed(String id) {
        return ((Completion.Complete) completion(id)).parameters().get("server");
    }

    private Assignment assignment() {
        return assignment(RESERVATION, Map.of(), TRUST);
    }

    private Assignment assignment(
            ReservationId reservation, Map<String, Object> more, @Nullable TrustId trust) {
        Map<String, @Nullable Object> wish = new HashMap<>();
        wish.put("server_id", server.id);
        wish.put("server", new Room("nova", 2, 4096, 20).attributes());
        wish.putAll(more);
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation,
                new ProjectId("p1"),
                new UserId("u1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                ((Plan.Planned) plugin.planning().plan(wish)).parameters(),
                List.of(new Allocation(new ResourceId(1), "nova", Map.of())),
                () -> true,
                other -> Optional.ofNullable(others.get(other)),
                trust);
    }

    private static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    private static Fault assertFailed(Result result, Fault.Kind kind) {
        Fault fault = ((Result.Failed) result).fault();
        assertThat(fault.kind()).isEqualTo(kind);
        return fault;
    }
}
