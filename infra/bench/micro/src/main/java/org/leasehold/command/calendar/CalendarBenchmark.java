package org.leasehold.command.calendar;

import org.leasehold.lease.LeasePeriod;
import org.leasehold.query.Availability.Opening;
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

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** When are ten hosts free for two hours within thirty days, each host with ten claims. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CalendarBenchmark {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration HORIZON = Duration.ofDays(30);
    private static final Duration LENGTH = Duration.ofHours(2);
    private static final int CLAIMS = 10;
    private static final int WANTED = 10;

    @Param({"1000", "10000"})
    int hosts;

    private final List<Slots> calendar = new ArrayList<>();
    private LeasePeriod window = new LeasePeriod(NOON, NOON.plus(LENGTH));

    @Setup
    public void claim() {
        SplittableRandom random = new SplittableRandom(20_131_013);
        long part = HORIZON.toSeconds() / CLAIMS;
        for (int host = 0; host < hosts; host++) {
            List<LeasePeriod> claims = new ArrayList<>();
            for (int claim = 0; claim < CLAIMS; claim++) {
                Instant start = NOON.plusSeconds(claim * part + random.nextLong(part / 2));
                claims.add(
                        new LeasePeriod(start, start.plusSeconds(1 + random.nextLong(part / 2))));
            }
            calendar.add(Slots.of(claims));
        }
        window =
                new LeasePeriod(
                        NOON.plus(HORIZON.dividedBy(2)),
                        NOON.plus(HORIZON.dividedBy(2)).plus(LENGTH));
    }

    @Benchmark
    public List<Opening> earliestStart() {
        return new OpeningSearch(
                        calendar,
                        LENGTH.toSeconds() * 1_000_000,
                        Micros.of(NOON),
                        Micros.of(NOON.plus(HORIZON)))
                .find(WANTED, 1);
    }

    @Benchmark
    public int freeInOneWindow() {
        int free = 0;
        for (Slots host : calendar) {
            if (host.isFree(window)) {
                free++;
            }
        }
        return free;
    }
}
