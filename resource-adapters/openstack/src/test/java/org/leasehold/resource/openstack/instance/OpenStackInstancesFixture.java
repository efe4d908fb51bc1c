package org.leasehold.resource.openstack.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.openstack.Cloud;
import org.leasehold.resource.openstack.CloudFaultProxy;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.ParallelCalls;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** A cloud with nine hosts, four of which are free, and assignments to them. */
abstract class OpenStackInstancesFixture {

    private static final PollingWait LONG_WAIT =
            new PollingWait(Duration.ofSeconds(30), Duration.ofMillis(5));

    static final ProjectId PROJECT = new ProjectId("project-1");
    static final String STRANGER = "project-2";
    static final Result DONE = new Result.Done();

    private final List<Cloud> clouds = new ArrayList<>();

    FakeNova nova;
    CloudFaultProxy proxy;
    Acting acting;

    @BeforeEach
    void startCloud() throws IOException {
        nova =
                new FakeNova(
                        IntStream.rangeClosed(1, 9)
                                .mapToObj(number -> "compute-" + number)
                                .toList());
        nova.group("freepool", null, "compute-1", "compute-2", "compute-3", "compute-4");
        proxy = new CloudFaultProxy();
        acting = acting(LONG_WAIT);
    }

    @AfterEach
    void stopCloud() {
        clouds.forEach(Cloud::close);
        proxy.close();
        nova.close();
    }

    Acting acting(PollingWait eviction) {
        Map<String, String> settings = new HashMap<>(nova.settings());
        settings.computeIfPresent("auth-url", (_, url) -> proxy.before(URI.create(url)).toString());
        Cloud cloud = new Cloud(CloudSettings.of(settings), Clock.systemUTC());
        clouds.add(cloud);
        return new OpenStackInstances(cloud, eviction, new ParallelCalls(16));
    }

    /** Returns whether a user of a project gets a server by the reservation's flavor. */
    boolean boots(Assignment assignment, String project) {
        return nova.boot("of " + project, project, assignment.reservation()).isPresent();
    }

    static void assertRetryable(Result result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed ->
                                assertThat(failed.fault().kind()).isEqualTo(Fault.Kind.RETRYABLE));
    }

    static Result lacks(String message) {
        return new Result.Failed(new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, message));
    }

    static String classOf(Assignment assignment) {
        return ReservedSlots.classOf(assignment.reservation());
    }

    static Allocation slots(String host, int slots) {
        return new Allocation(
                new ResourceId(Long.parseLong(host.replace("compute-", ""))),
                host,
                Map.of(),
                new Share(slots, Map.of("VCPU", 4L, "MEMORY_MB", 8_192L, "DISK_GB", 40L)));
    }

    static Assignment assignment(Allocation... hosts) {
        return assignment(new ReservationId(UUID.randomUUID()), List.of(hosts), () -> true);
    }

    static Assignment apart(@Nullable TrustId trust) {
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                new ReservationId(UUID.randomUUID()),
                PROJECT,
                new UserId("user-1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                Map.of("vcpus", 4, "memory_mb", 8_192, "disk_gb", 40, "affinity", false),
                List.of(slots("compute-1", 1), slots("compute-2", 1)),
                () -> true,
                _ -> Optional.empty(),
                trust);
    }

    static Assignment again(Assignment old, Allocation... hosts) {
        return assignment(old.reservation(), List.of(hosts), old.fence());
    }

    static Assignment assignment(
            ReservationId reservation, List<Allocation> hosts, Acting.Fence fence) {
        return new Assignment(
                        new LeaseId(UUID.randomUUID()),
                        reservation,
                        PROJECT,
                        new UserId("user-1"),
                        new LeasePeriod(
                                Instant.parse("2030-01-01T00:00:00Z"),
                                Instant.parse("2030-01-02T00:00:00Z")),
                        Map.of("vcpus", 4, "memory_mb", 8_192, "disk_gb", 40, "amount", 2),
                        hosts)
                .withFence(fence);
    }
}
