package org.leasehold.resource.openstack.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Others;
import org.leasehold.resource.Acting.Result;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.RequestCompleter.Asker;
import org.leasehold.resource.RequestCompleter.Completion;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.openstack.CloudSettings;
import org.leasehold.resource.openstack.FakePollingTime;
import org.leasehold.resource.openstack.stack.FakeHeat.Stack;
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

/** A cloud with Heat, and the calls for one reservation. */
abstract class OpenStackStacksFixture {

    static final ProjectId PROJECT = new ProjectId("p1");
    static final TrustId TRUST = new TrustId(FakeHeat.TRUST);
    static final Asker ASKER = new Asker(PROJECT, FakeHeat.TOKEN, "req-1");
    static final Map<String, Object> WORD = Map.of("type", "OS::Heat::RandomString");

    final FakeHeat heat = new FakeHeat();
    final ReservationId reservation = new ReservationId(UUID.randomUUID());
    final ResourcePlugin plugin =
            OpenStackStacksProvider.create(
                    CloudSettings.of(heat.settings()), FakePollingTime.looks(1_000));
    final Acting acting = plugin.acting();

    @AfterEach
    void close() {
        plugin.close();
        heat.close();
    }

    static Map<String, @Nullable Object> wish(Map<String, ?> resources) {
        return Map.of("template", Map.of("resources", resources));
    }

    Completion complete(Map<String, @Nullable Object> wish, Asker asker) {
        return plugin.requestCompleter().orElseThrow().complete(wish, Map.of(), asker);
    }

    static Map<String, @Nullable Object> existing(Stack stack, String onEnd) {
        Map<String, @Nullable Object> wish = new HashMap<>();
        wish.put("stack_id", stack.id);
        wish.put("on_end", onEnd);
        wish.put("stack", Map.of("name", stack.name, "parts", List.of(), "promised", List.of()));
        return wish;
    }

    Assignment of(Map<String, @Nullable Object> wish, @Nullable TrustId trust) {
        return of(wish, trust, _ -> Optional.empty());
    }

    Assignment of(Map<String, @Nullable Object> wish, @Nullable TrustId trust, Others others) {
        Map<String, @Nullable Object> complete = new HashMap<>(wish);
        complete.putIfAbsent(
                "stack", Map.of("name", "", "parts", List.of(), "promised", List.of()));
        return new Assignment(
                new LeaseId(UUID.randomUUID()),
                reservation,
                PROJECT,
                new UserId("u-of-p1"),
                new LeasePeriod(
                        Instant.parse("2030-01-01T00:00:00Z"),
                        Instant.parse("2030-01-02T00:00:00Z")),
                ((Plan.Planned) plugin.planning().plan(complete)).parameters(),
                List.of(
                        new Allocation(
                                new ResourceId(1), "nova", Map.of("availability_zone", "nova"))),
                () -> true,
                others,
                trust);
    }

    static void assertDone(Result result) {
        assertThat(result).isInstanceOf(Result.Done.class);
    }

    static void assertFailed(Result result, Fault.Kind kind, String why) {
        assertThat(result).isInstanceOf(Result.Failed.class);
        assertThat(((Result.Failed) result).fault().kind()).isEqualTo(kind);
        assertThat(((Result.Failed) result).fault().message()).contains(why);
    }
}
