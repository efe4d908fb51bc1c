package org.leasehold.command.calendar.selection;

import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.CalendarRequest.Hold;
import org.leasehold.command.calendar.CalendarRequest.Wanted;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.PostgresClaims;
import org.leasehold.command.calendar.index.ClaimIndex;
import org.leasehold.command.calendar.inventory.CachedResource;
import org.leasehold.command.calendar.inventory.InventorySnapshot;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.readmodel.capacity.Availability.Opening;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Benchmarks of choosing hosts and finding free time, with ten claims per host in a month. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CalendarBenchmark {

    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration HORIZON = Duration.ofDays(30);
    private static final int CLAIMS_PER_HOST = 10;
    private static final Requirement V100 = new Comparison(Operator.EQUAL, "gpu", "V100");

    @Param({"1000", "10000"})
    public int hosts;

    private final SplittableRandom random = new SplittableRandom(1);
    private final ClaimIndex index = new ClaimIndex();
    private final Claims claims = new PostgresClaims(new JdbcTemplate(), Duration.ZERO);
    private InventorySnapshot inventory = new InventorySnapshot(1, List.of());
    private List<ResourceId> matching = List.of();

    @Setup
    public void fill() {
        List<CachedResource> resources = new ArrayList<>();
        for (int number = 1; number <= hosts; number++) {
            ResourceId id = new ResourceId(number);
            String gpu = number % 2 == 0 ? "V100" : "none";
            resources.add(
                    new CachedResource(
                            ResourceKind.PHYSICAL_HOST,
                            new Allocation(id, "compute-" + number, Map.of("gpu", gpu)),
                            Map.of("gpu", gpu),
                            true,
                            1));
            for (int index = 0; index < CLAIMS_PER_HOST; index++) {
                put(id, someday(index, HORIZON.dividedBy(CLAIMS_PER_HOST)));
            }
        }
        inventory = new InventorySnapshot(1, resources);
        matching =
                inventory.findMatching(ResourceKind.PHYSICAL_HOST, V100).stream()
                        .map(CachedResource::id)
                        .toList();
    }

    private LeasePeriod someday(int step, Duration within) {
        long minutes = random.nextLong(within.toMinutes() - 240);
        Instant start = NOW.plus(within.multipliedBy(step)).plus(Duration.ofMinutes(minutes));
        return new LeasePeriod(start, start.plus(Duration.ofMinutes(30 * random.nextLong(1, 9))));
    }

    private void put(ResourceId resource, LeasePeriod period) {
        index.replaceClaims(
                new LeaseId(id()), new ReservationId(id()), List.of(new Claim(resource, period)));
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    /** Chooses one host for a new lease. */
    @Benchmark
    public Object choose() {
        Demand demand =
                new Demand.Whole(
                        ResourceKind.PHYSICAL_HOST, 1, 1, V100, Demand.Selection.FIRST_FIT);
        Wanted wanted =
                new Wanted(new ReservationId(id()), demand, someday(0, HORIZON), List.of(), false);
        Hold hold = new Hold(new LeaseId(id()), new ProjectId("p"), List.of(wanted));
        return new ResourceSelection(claims, hold, Map.of()).choose(inventory, index, 2);
    }

    /** Finds the earliest time at which ten hosts are free. */
    @Benchmark
    public List<Opening> earliestStart() {
        Duration length = Duration.ofHours(random.nextLong(1, 9));
        return FreeResourceTimeline.of(matching, index::slots)
                .openings(10, length, NOW, NOW.plus(HORIZON), 1);
    }

    /** Adds a lease and removes it. */
    @Benchmark
    public void remember() {
        LeaseId lease = new LeaseId(id());
        ReservationId reservation = new ReservationId(id());
        ResourceId resource = new ResourceId(random.nextLong(1, hosts + 1L));
        index.replaceClaims(lease, reservation, List.of(new Claim(resource, someday(0, HORIZON))));
        index.replaceClaims(lease, reservation, List.of());
    }
}
