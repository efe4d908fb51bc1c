package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.resource.simulator.cloud.SimulatedCloud;
import org.leasehold.runtime.DemoProject.Lease;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TimeZone;

/** Tests clock changes: by people, by daemons, and twice a year in the zone of this machine. */
class ClockStepsIT {

    private static final Duration HOUR = Duration.ofHours(1);

    /** Two hours begin at 02:00 on this day in Berlin; each lasts an hour. */
    private static final Instant SUMMER_ENDS = Instant.parse("2026-10-25T01:00:00Z");

    /** No hour begins at 02:00 on this day in Berlin. */
    private static final Instant SUMMER_BEGINS = Instant.parse("2027-03-28T01:00:00Z");

    private static final TimeZone ZONE = TimeZone.getDefault();

    @TempDir private static Path folder;
    private static AdjustableClock clock;
    private static Product product;
    private static DemoProject tenant;

    @BeforeAll
    static void start() {
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
        clock = new AdjustableClock();
        clock.set(Instant.parse("2026-06-01T12:00:00Z"));
        product = Product.start(folder, clock);
        tenant = new DemoProject(product);
    }

    @AfterAll
    static void stop() {
        product.close();
        TimeZone.setDefault(ZONE);
    }

    /** Separates each test from the leases of the others. */
    @BeforeEach
    void the_clock_advances_by_a_month() {
        clock.step(Duration.ofDays(30));
    }

    @Test
    void a_clock_step_forward_runs_overdue_starts_and_ends_once() {
        Instant now = clock.instant();
        Lease over = tenant.leaseUntil(now.plus(HOUR), "");
        Lease running = tenant.lease(now.plus(HOUR), now.plus(HOUR.multipliedBy(9)), "");
        Lease missed = tenant.lease(now.plus(HOUR), now.plus(HOUR.multipliedBy(2)), "");
        tenant.awaitStatus(over, "ACTIVE");

        clock.step(HOUR.multipliedBy(3));
        tenant.awaitStatus(over, "TERMINATED");
        tenant.awaitStatus(running, "ACTIVE");
        tenant.awaitStatus(missed, "TERMINATED");
        assertThat(tenant.types(over)).containsOnlyOnce("LeaseStarting", "LeaseEnding");
        assertThat(tenant.types(running)).containsOnlyOnce("LeaseStarting");
        assertThat(tenant.types(missed)).doesNotContain("LeaseStarting");
        assertThat(steps(over))
                .containsExactly(
                        "create_aggregate",
                        "add_host",
                        "leave_freepool",
                        "enter_freepool",
                        "remove_host",
                        "delete_aggregate");
        assertThat(steps(running))
                .containsExactly("create_aggregate", "add_host", "leave_freepool");
        assertThat(steps(missed)).isEmpty();
    }

    @Test
    void a_clock_step_backward_runs_each_start_and_end_once() {
        Instant now = clock.instant();
        Lease over = tenant.leaseUntil(now.plus(HOUR), "");
        Lease running = tenant.leaseUntil(now.plus(HOUR.multipliedBy(9)), "");
        tenant.awaitStatus(over, "ACTIVE");
        tenant.awaitStatus(running, "ACTIVE");
        clock.step(HOUR);
        tenant.awaitStatus(over, "TERMINATED");
        int before = steps(over).size();

        clock.step(HOUR.multipliedBy(-2));
        Instant earlier = clock.instant();
        Lease asked = tenant.leaseUntil(earlier.plus(HOUR), "");
        tenant.awaitStatus(asked, "ACTIVE");
        assertThat(tenant.status(running)).isEqualTo("ACTIVE");
        tenant.end(running);
        tenant.awaitStatus(running, "TERMINATED");

        clock.step(HOUR);
        tenant.awaitStatus(asked, "TERMINATED");
        assertThat(tenant.status(over)).isEqualTo("TERMINATED");
        assertThat(steps(over)).hasSize(before);
        assertThat(tenant.types(over)).containsOnlyOnce("LeaseStarting", "LeaseEnding");
        assertThat(tenant.types(running)).containsOnlyOnce("LeaseStarting", "LeaseEnding");
    }

    @Test
    void a_lease_created_after_a_clock_step_backward_starts_and_ends_on_time() {
        clock.step(HOUR.multipliedBy(-5));
        Instant start = clock.instant().plus(HOUR);
        Lease lease = tenant.lease(start, start.plus(HOUR), "");
        clock.set(start);
        tenant.awaitStatus(lease, "ACTIVE");
        clock.set(start.plus(HOUR));
        tenant.awaitStatus(lease, "TERMINATED");
    }

    @Test
    void leases_start_and_end_on_time_when_daylight_saving_ends() {
        livesFromMinuteToMinute(SUMMER_ENDS);
    }

    @Test
    void leases_start_and_end_on_time_when_daylight_saving_begins() {
        livesFromMinuteToMinute(SUMMER_BEGINS);
    }

    /** Runs two leases; one ends and the other begins at the same moment after the change. */
    private static void livesFromMinuteToMinute(Instant change) {
        Duration half = Duration.ofMinutes(30);
        clock.set(change.minus(HOUR));
        String host = DemoProject.named("compute-1");
        Instant start = change.minus(half);
        Instant handOver = change.plus(half);
        Instant end = change.plus(HOUR).plus(half);
        Lease first = tenant.lease(start, handOver, host);
        Lease second = tenant.lease(handOver, end, host);

        clock.set(start);
        tenant.awaitStatus(first, "ACTIVE");
        assertThat(startOf(first)).isEqualTo(start);
        assertThat(startOf(second)).isEqualTo(handOver);
        clock.set(handOver.minusSeconds(30));
        assertThat(tenant.status(first)).isEqualTo("ACTIVE");
        assertThat(tenant.status(second)).isEqualTo("PENDING");
        clock.set(handOver);
        tenant.awaitStatus(first, "TERMINATED");
        tenant.awaitStatus(second, "ACTIVE");
        clock.set(end);
        tenant.awaitStatus(second, "TERMINATED");
    }

    private static Instant startOf(Lease lease) {
        return Instant.parse(
                product.as("demo")
                        .get("/api/leases/" + lease.id())
                        .expect(200)
                        .path("start")
                        .asString());
    }

    private static List<String> steps(Lease lease) {
        return product.cloud().effects(lease.reservation()).stream()
                .map(SimulatedCloud.Effect::operation)
                .toList();
    }
}
