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
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.RequestCompleter;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.server.FakeNovaServers.Image;
import org.leasehold.resource.openstack.server.FakeNovaServers.Server;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

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
    private static final TrustId TRUST = new TrustId(FakeNovaServers.TRUST);
    private static final String SHELVED = "SHELVED_OFFLOADED";

    private final FakeNovaServers nova = new FakeNovaServers();
    private final ResourcePlugin plugin =
            OpenStackServersProvider.create(
                    CloudSettings.of(nova.settings()), FakePollingTime.looks(20));
    private final Acting acting = plugin.acting();
    private final Server server = nova.server("p1", "ACTIVE");
    private final Map<ReservationId, Map<String, @Nullable Object>> others = new HashMap<>();

    @AfterEach
    void close() {
        plugin.close();
        nova.close();
    }

    @Test
    void a_server_is_shelved_with_the_trust_before_the_start() {
        assertDone(acting.prepare(assignment()));
        assertDone(acting.prepare(assignment()));

        assertThat(server.status).isEqualTo(SHELVED);
        assertThat(server.metadata).isEmpty();
        assertThat(nova.changes()).containsExactly("shelve as p1");
    }

    @Test
    void a_lease_tag_on_a_server_requests_a_lease_and_shows_errors() {
        LeaseTagSource tagSource = plugin.leaseTagSource().orElseThrow();
        nova.server("p1", "ACTIVE").metadata.put("role", "web");
        nova.server("p1", "ERROR").metadata.put("lease_id", "l1");
        nova.server("p1", "BUILD").metadata.put("lease_id", "l1");
        nova.server("p2", SHELVED).metadata.put("lease_params", "{}");
        server.metadata.putAll(Map.of("lease_id", "l1", "role", "web"));

        List<LeaseTaggedObject> all = objects(tagSource);

        assertThat(all)
                .extracting(LeaseTaggedObject::project)
                .containsExactly(new ProjectId("p1"), new ProjectId("p2"));
        LeaseTaggedObject object = all.getFirst();
        assertThat(object)
                .isEqualTo(
                        new LeaseTaggedObject(
                                server.id,
                                new ProjectId("p1"),
                                new UserId("user-of-p1"),
                                "web",
                                Map.of("server_id", server.id),
                                Map.of("lease_id", "l1")));
        tagSource.writeError(object, "There is no lease l1");
        assertThat(objects(tagSource).getFirst().error()).isEqualTo("There is no lease l1");
        tagSource.writeError(object, null);
        tagSource.writeError(object, null);
        assertThat(server.metadata).isEqualTo(Map.of("lease_id", "l1", "role", "web"));

        tagSource.writeError(all.getLast(), "nobody can read that");
        assertThat(objects(tagSource).getLast().error()).isNull();
    }

    private static List<LeaseTaggedObject> objects(LeaseTagSource tagSource) {
        return ((LeaseTagSource.Seen.All) tagSource.findTaggedObjects()).objects();
    }

    @Test
    void the_engine_shelves_a_server_without_a_trust_or_with_a_lock() {
        assertDone(acting.prepare(assignment(RESERVATION, Map.of(), null)));
        assertThat(server.status).isEqualTo(SHELVED);
        assertThat(nova.changes()).hasSize(1).doesNotContain("shelve as p1");

        server.status = "ACTIVE";
        server.locked = true;
        assertDone(acting.onEnd(assignment()));
        assertThat(server.status).isEqualTo(SHELVED);
    }

    @Test
    void the_engine_shelves_a_server_that_the_user_may_not_shelve() {
        nova.refuseUsers(403);
        assertDone(acting.prepare(assignment()));
        assertThat(server.status).isEqualTo(SHELVED);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 409, 413, 500, 503})
    void a_nova_error_fails_the_preparation_and_keeps_the_server_active(int status) {
        nova.refuseUsers(status);
        assertThat(acting.prepare(assignment())).isInstanceOf(Result.Failed.class);
        assertThat(server.status).isEqualTo("ACTIVE");
    }

    @Test
    void the_engine_shelves_a_server_when_the_trust_is_gone() {
        nova.keystone().forgetTrusts();
        assertDone(acting.prepare(assignment()));
        assertThat(server.status).isEqualTo(SHELVED);
    }

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

    @Test
    void a_preparation_does_not_change_a_server_that_is_being_unshelved() {
        server.status = SHELVED;
        server.unshelving(() -> {});

        assertDone(acting.prepare(assignment()));

        assertThat(nova.changes()).isEmpty();
    }

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

    @Test
    void a_missing_or_foreign_server_is_not_changed() {
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
    void a_start_with_on_start_leave_does_not_change_a_rescued_server() {
        server.status = "RESCUE";
        assertDone(acting.onStart(assignment(RESERVATION, Map.of("on_start", "leave"), TRUST)));
        assertThat(nova.changes()).isEmpty();
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

    @Test
    void the_zone_capacity_counts_running_hosts_outside_freepool_and_leases() {
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
                                "big",
                                null,
                                "big",
                                new ComputeCapacity("big", 16, 16_384, 160).attributes()));
    }

    @Test
    void a_zone_without_compute_hosts_cannot_be_leased() {
        nova.zone("controllers");
        assertThat(acting.discover("controllers")).isInstanceOf(Discovery.Unfit.class);
        assertThat(acting.discover("none")).isEqualTo(new Discovery.NotFound());
    }

    @Test
    void a_request_is_completed_with_the_capacity_of_the_project_server() {
        assertThat(completed(server.id))
                .isEqualTo(new ComputeCapacity("nova", 2, 4096, 27).attributes());
        server.fromVolume = true;
        assertThat(completed(server.id))
                .isEqualTo(new ComputeCapacity("nova", 2, 4096, 7).attributes());
        server.status = SHELVED;
        assertThat(completed(server.id))
                .isEqualTo(new ComputeCapacity("", 2, 4096, 7).attributes());

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
        return plugin.requestCompleter()
                .orElseThrow()
                .complete(
                        Map.of("server_id", id),
                        Map.of(),
                        new RequestCompleter.Asker(new ProjectId("p1"), null, "req-1"));
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
        wish.put("server", new ComputeCapacity("nova", 2, 4096, 20).attributes());
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
