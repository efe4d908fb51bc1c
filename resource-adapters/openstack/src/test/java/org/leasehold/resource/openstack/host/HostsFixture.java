package org.leasehold.resource.openstack.host;

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
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.Survey;
import org.leasehold.resource.Survey.Squatter;
import org.leasehold.resource.openstack.CloudFaultProxy;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.compute.FakeNova;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The fake Nova and the assignments of the tests of hosts. */
abstract class HostsFixture {

    static final PollingWait LONG_WAIT =
            new PollingWait(Duration.ofSeconds(30), Duration.ofMillis(5));

    static final ProjectId PROJECT = new ProjectId("project-1");
    static final String STRANGER = "project-2";
    static final Result DONE = new Result.Done();

    final List<ResourcePlugin> plugins = new ArrayList<>();
    FakeNova nova;
    CloudFaultProxy proxy;
    Acting acting;

    @BeforeEach
    void startCloud() throws IOException {
        nova =
                new FakeNova(
                        IntStream.rangeClosed(1, 12)
                                .mapToObj(number -> "compute-" + number)
                                .toList());
        proxy = new CloudFaultProxy();
        acting = acting(HostIsolation.FILTER, "30s", LONG_WAIT);
        for (int number = 1; number <= 4; number++) {
            acting.enrol(new ResourceId(number), "compute-" + number);
        }
    }

    @AfterEach
    void stopCloud() {
        plugins.forEach(ResourcePlugin::close);
        proxy.close();
        nova.close();
    }

    List<Squatter> squatters() {
        return acting.survey() instanceof Survey.Seen seen ? seen.squatters() : List.of();
    }

    Acting acting(HostIsolation isolation, String callTimeout, PollingWait eviction) {
        Map<String, String> settings = new HashMap<>(nova.settings());
        settings.computeIfPresent("auth-url", (_, url) -> proxy.before(URI.create(url)).toString());
        settings.put("call-timeout", callTimeout);
        ResourcePlugin plugin =
                OpenStackHostsProvider.create(isolation, CloudSettings.of(settings), eviction);
        plugins.add(plugin);
        return plugin.acting();
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

    static List<Allocation> allocations(String... hosts) {
        return Stream.of(hosts)
                .map(
                        host ->
                                new Allocation(
                                        new ResourceId(
                                                Long.parseLong(host.replace("compute-", ""))),
                                        host,
                                        Map.of()))
                .toList();
    }

    static Assignment assignment(String... hosts) {
        return assignment(
                new ReservationId(UUID.randomUUID()),
                Map.of("before_end", "default"),
                allocations(hosts),
                () -> true);
    }

    static Assignment assignment(
            ReservationId reservation,
            Map<String, @Nullable Object> parameters,
            List<Allocation> hosts,
            Acting.Fence fence) {
        return new Assignment(
                        new LeaseId(UUID.randomUUID()),
                        reservation,
                        PROJECT,
                        new UserId("user-1"),
                        new LeasePeriod(
                                Instant.parse("2030-01-01T00:00:00Z"),
                                Instant.parse("2030-01-02T00:00:00Z")),
                        parameters,
                        hosts)
                .withFence(fence);
    }
}
