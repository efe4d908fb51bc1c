package org.leasehold.resource.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Share;
import org.leasehold.lease.UserId;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Petition;
import org.leasehold.resource.Petitioning;
import org.leasehold.resource.Planning.Plan;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class SimulatedVolumesContractTest extends SimulatedCloudContract {

    private static final ProjectId PROJECT = new ProjectId("p1");
    private static final ReservationId RESERVATION = new ReservationId(UUID.randomUUID());

    SimulatedVolumesContractTest() {
        super(new SimulatedVolumesProvider());
    }

    @Override
    protected List<String> resourceNames() {
        return List.of("gold", "silver", "bronze");
    }

    @Override
    protected String unknownName() {
        return "platinum";
    }

    @Override
    protected Map<String, @Nullable Object> parameters() {
        return Map.of("volume_type", "gold", "size", 10);
    }

    @Override
    protected Map<String, @Nullable Object> changes() {
        return Map.of("size", 20);
    }

    @Override
    protected Allocation held(Allocation whole) {
        return whole.shared(new Share(10, Map.of("VOLUME_GB", 1L)));
    }

    @Test
    void what_others_have_of_a_type_cannot_be_promised() {
        cloud().createVolume("gold", 100, "theirs", PROJECT);
        Discovery.Found found = (Discovery.Found) plugin().acting().discover("gold");
        assertThat(found.attributes()).isEqualTo(Map.of("volume_type", "gold", "VOLUME_GB", 900L));
    }

    @Test
    void a_type_without_room_is_waited_for() {
        cloud().createVolume("gold", 1000, "theirs", PROJECT);
        assertFailed(start(Map.of("volume_type", "gold", "size", 1)), Fault.Kind.RETRYABLE);
        assertThat(plugin().acting().inspect(RESERVATION)).isEmpty();
    }

    @Test
    void a_volume_grows_where_it_is_as_far_as_there_is_room() {
        start(Map.of("volume_type", "gold", "size", 10, "name", "data"));
        UUID id = volume("data").id();

        adjust(Map.of("volume_type", "gold", "size", 1000, "name", "data"));
        assertThat(volume("data").size()).isEqualTo(1000);
        assertThat(volume("data").id()).isEqualTo(id);
        assertFailed(
                adjust(Map.of("volume_type", "gold", "size", 1001, "name", "data")),
                Fault.Kind.RETRYABLE);
    }

    @Test
    void a_volume_that_is_attached_is_deleted_with_its_snapshots() {
        start(Map.of("volume_type", "gold", "size", 10, "name", "data"));
        cloud().attachVolume(volume("data").id());

        end(Map.of("volume_type", "gold", "size", 10));

        assertThat(cloud().volumes()).isEmpty();
    }

    @Test
    void what_is_to_stay_stays_and_is_no_reservations_any_more() {
        for (String end : List.of("snapshot", "detach", "keep")) {
            Map<String, @Nullable Object> wish =
                    Map.of("volume_type", "gold", "size", 10, "name", end, "on_end", end);
            start(wish);
            UUID id = volume(end).id();
            cloud().attachVolume(id);

            end(wish);
            end(wish);

            SimulatedVolume left = volume(end);
            assertThat(left.id()).isEqualTo(id);
            assertThat(left.reservation()).isNull();
            assertThat(left.attached()).isEqualTo(end.equals("keep"));
            assertThat(cloud().volumeSnapshots(id))
                    .isEqualTo(end.equals("snapshot") ? List.of(RESERVATION) : List.of());
        }
    }

    @Test
    void a_projects_own_volume_is_leased_and_given_back() {
        UUID id = cloud().createVolume("silver", 7, "mine", PROJECT).orElseThrow().id();
        Map<String, @Nullable Object> wish = Map.of("volume_id", id.toString());
        start(wish);
        start(wish);
        assertThat(volume("mine").reservation()).isEqualTo(RESERVATION);
        assertFailed(
                plugin().acting().onStart(of(new ReservationId(UUID.randomUUID()), wish)),
                Fault.Kind.RETRYABLE);
        assertThat(volume("mine").reservation()).isEqualTo(RESERVATION);

        end(wish);

        assertThat(volume("mine").reservation()).isNull();
    }

    @Test
    void what_is_counted_for_a_projects_own_volume_may_move_and_the_volume_does_not() {
        UUID id = cloud().createVolume("gold", 7, "mine", PROJECT).orElseThrow().id();
        Assignment own = of(RESERVATION, Map.of("volume_id", id.toString()));
        assertThat(plugin().acting().onStart(own)).isInstanceOf(Result.Done.class);
        cloud().attachVolume(id);

        assertThat(plugin().acting().onAdjust(own, own.resources()))
                .isInstanceOf(Result.Done.class);

        assertThat(volume("mine").reservation()).isEqualTo(RESERVATION);
        assertThat(volume("mine").attached()).isTrue();
    }

    @Test
    void anothers_volume_and_one_that_is_gone_are_not_leased() {
        UUID theirs =
                cloud().createVolume("silver", 7, "theirs", new ProjectId("p2")).orElseThrow().id();
        for (UUID id : List.of(theirs, UUID.randomUUID())) {
            assertFailed(
                    start(Map.of("volume_id", id.toString())), Fault.Kind.INSUFFICIENT_RESOURCES);
        }
        assertThat(volume("theirs").reservation()).isNull();
    }

    private Result start(Map<String, @Nullable Object> wish) {
        return plugin().acting().onStart(of(RESERVATION, wish));
    }

    private Result adjust(Map<String, @Nullable Object> wish) {
        return plugin().acting().onAdjust(of(RESERVATION, wish), List.of());
    }

    private void end(Map<String, @Nullable Object> wish) {
        assertThat(plugin().acting().onEnd(of(RESERVATION, wish))).isInstanceOf(Result.Done.class);
    }

    private Assignment of(ReservationId reservation, Map<String, @Nullable Object> wish) {
        Plan plan = plugin().planning().plan(new HashMap<>(wish));
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation,
                PROJECT,
                new UserId("u1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                ((Plan.Planned) plan).parameters(),
                List.of(held(new Allocation(new ResourceId(1), "gold", Map.of()))),
                () -> true);
    }

    private SimulatedVolume volume(String name) {
        return cloud().volumes().stream()
                .filter(volume -> volume.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void assertFailed(Result result, Fault.Kind kind) {
        assertThat(((Result.Failed) result).fault().kind()).isEqualTo(kind);
    }

    @Test
    void what_is_written_on_a_volume_asks_for_a_lease() {
        Petitioning petitioning = plugin().petitioning().orElseThrow();
        UUID mine = cloud().createVolume("gold", 1, "data", PROJECT).orElseThrow().id();
        cloud().createVolume("gold", 1, "silent", PROJECT);
        cloud().write(mine, new UserId("ada"), Map.of("lease_params", "{}"));

        Petition petition =
                new Petition(
                        mine.toString(),
                        PROJECT,
                        new UserId("ada"),
                        "data",
                        Map.of("volume_id", mine.toString()),
                        Map.of("lease_params", "{}"));
        assertThat(petitioning.petitions()).isEqualTo(new Petitioning.Seen.All(List.of(petition)));
        petitioning.tell(petition, "end is missing");
        assertThat(cloud().metadata(mine)).containsEntry("lease_error", "end is missing");
    }
}
