package org.leasehold.resource.simulator.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Discovery;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.LeaseTagSource;
import org.leasehold.resource.LeaseTaggedObject;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.simulator.cloud.SimulatedCloudContract;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.UserId;

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
    void the_free_capacity_of_a_type_excludes_existing_volumes() {
        cloud().createVolume("gold", 100, "theirs", PROJECT);
        Discovery.Found found = (Discovery.Found) plugin().acting().discover("gold");
        assertThat(found.attributes()).isEqualTo(Map.of("volume_type", "gold", "VOLUME_GB", 900L));
    }

    @Test
    void a_start_is_retryable_while_the_volume_type_is_full() {
        cloud().createVolume("gold", 1000, "theirs", PROJECT);
        assertFailed(start(Map.of("volume_type", "gold", "size", 1)), Fault.Kind.RETRYABLE);
        assertThat(plugin().acting().inspect(RESERVATION)).isEmpty();
    }

    @Test
    void an_adjustment_extends_a_volume_up_to_the_free_capacity() {
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
    void an_end_deletes_an_attached_volume() {
        start(Map.of("volume_type", "gold", "size", 10, "name", "data"));
        cloud().attachVolume(volume("data").id());

        end(Map.of("volume_type", "gold", "size", 10));

        assertThat(cloud().volumes()).isEmpty();
    }

    @Test
    void a_volume_that_outlives_the_end_leaves_the_reservation() {
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
    void an_existing_volume_is_leased_and_released() {
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
    void an_adjustment_of_the_allocation_keeps_an_existing_volume() {
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
    void a_start_fails_on_a_missing_volume_or_one_of_another_project() {
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
                List.of(held(new Allocation(new ResourceId(1), "gold", Map.of()))));
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
    void a_lease_tag_on_a_volume_requests_a_lease_and_shows_errors() {
        LeaseTagSource tagSource = plugin().leaseTagSource().orElseThrow();
        UUID existing = cloud().createVolume("gold", 1, "data", PROJECT).orElseThrow().id();
        cloud().createVolume("gold", 1, "silent", PROJECT);
        cloud().setMetadata(existing, new UserId("ada"), Map.of("lease_params", "{}"));

        LeaseTaggedObject object =
                new LeaseTaggedObject(
                        existing.toString(),
                        PROJECT,
                        new UserId("ada"),
                        "data",
                        Map.of("volume_id", existing.toString()),
                        Map.of("lease_params", "{}"));
        assertThat(tagSource.findTaggedObjects())
                .isEqualTo(new LeaseTagSource.Seen.All(List.of(object)));
        tagSource.writeError(object, "end is missing");
        assertThat(cloud().metadata(existing)).containsEntry("lease_error", "end is missing");
    }
}
