package org.leasehold.resource.openstack.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakePollingTime;
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

/** A cloud with volumes, and the calls for one reservation. */
abstract class OpenStackVolumesFixture {

    static final ReservationId RESERVATION =
            new ReservationId(UUID.fromString("0cd4d562-a4bf-409f-934f-82ec33c76bd7"));
    static final String MARK = "leasehold:reservation";
    static final TrustId TRUST = new TrustId(FakeCinder.TRUST);

    final FakeCinder cinder = new FakeCinder();
    final ResourcePlugin plugin =
            OpenStackVolumesProvider.create(
                    CloudSettings.of(cinder.settings()), FakePollingTime.looks(500));
    final Acting acting = plugin.acting();

    @AfterEach
    void close() {
        plugin.close();
        cinder.close();
    }

    FakeVolume createdVolume() {
        return cinder.volumes().stream()
                .filter(volume -> volume.project.equals("p1"))
                .filter(volume -> RESERVATION.toString().equals(volume.metadata.get(MARK)))
                .findFirst()
                .orElseThrow();
    }

    Result start(Map<String, @Nullable Object> wish) {
        return acting.onStart(assignment(wish, TRUST));
    }

    Result adjust(Map<String, @Nullable Object> wish) {
        return acting.onAdjust(assignment(wish, TRUST), List.of());
    }

    void end(Map<String, @Nullable Object> wish) {
        assertDone(acting.onEnd(assignment(wish, null)));
    }

    static Map<String, @Nullable Object> wish() {
        return Map.of("volume_type", "gold", "size", 20, "name", "data");
    }

    static Map<String, @Nullable Object> wish(String name, Object value) {
        Map<String, @Nullable Object> wish = new HashMap<>(wish());
        wish.put(name, value);
        return wish;
    }

    static Assignment assignment(Map<String, @Nullable Object> wish, @Nullable TrustId trust) {
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

    static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    static void assertFailed(Result result, Fault.Kind kind) {
        assertThat(result).isInstanceOf(Result.Failed.class);
        assertThat(((Result.Failed) result).fault().kind()).isEqualTo(kind);
    }

    static void assertFault(Result result, Fault.Kind kind, String message) {
        assertThat(result).isEqualTo(new Result.Failed(new Fault(kind, message)));
    }
}
