package org.leasehold.command.calendar.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;
import static org.leasehold.command.calendar.stored.SampleRequests.slots;

import org.junit.jupiter.api.Test;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.Grant;
import org.leasehold.inventory.ResourceId;
import org.leasehold.vocabulary.Share;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/** Concurrent requests on two nodes for shares of hosts with 64 cores. */
class ConcurrentShareTest {

    private static final int CORES = 64;

    private final PostgresCalendarFixture database = new PostgresCalendarFixture().withHosts(2);
    private final Calendar one = database.calendar();
    private final Calendar other = database.anotherNode();

    @Test
    void concurrent_requests_get_every_slot_without_overbooking() throws Exception {
        List<Callable<Grant>> racers = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            racers.add(racer(i, lease(hours(0, 1), slots(1, 8))));
        }
        List<Grant> grants = PostgresCalendarFixture.race(racers);
        assertThat(grants).filteredOn(Grant.Held.class::isInstance).hasSize(16);
        assertThat(grants).filteredOn(Grant.HoldRefused.class::isInstance).hasSize(8);
        assertThat(cores(1, 0)).isEqualTo(CORES);
        assertThat(cores(2, 0)).isEqualTo(CORES);
    }

    @Test
    void concurrent_requests_for_slots_and_whole_hosts_overbook_no_hour() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        List<Callable<Grant>> racers = new ArrayList<>();
        for (int i = 0; i < 48; i++) {
            int from = random.nextInt(6);
            SampleRequests.SampleLease wish =
                    lease(
                            hours(from, from + 1 + random.nextInt(3)),
                            random.nextInt(4) == 0
                                    ? hosts(1, 1)
                                    : slots(1 + random.nextInt(4), 1 + random.nextInt(20)),
                            slots(1, 1 + random.nextInt(8)));
            racers.add(racer(i, wish));
        }
        List<Grant> grants = PostgresCalendarFixture.race(racers);
        assertThat(grants).filteredOn(Grant.Held.class::isInstance).hasSizeGreaterThan(5);
        for (int hour = 0; hour < 9; hour++) {
            assertThat(cores(1, hour)).as("host 1, hour %d", hour).isLessThanOrEqualTo(CORES);
            assertThat(cores(2, hour)).as("host 2, hour %d", hour).isLessThanOrEqualTo(CORES);
        }
    }

    private Callable<Grant> racer(int number, SampleRequests.SampleLease wish) {
        return () -> database.settle(number % 2 == 0 ? one : other, wish.hold());
    }

    /** Returns the promised cores of a host in an hour: all of them, if it is promised whole. */
    private long cores(long host, int hour) {
        return database.claims("").stream()
                .filter(claim -> claim.resource().equals(new ResourceId(host)))
                .filter(claim -> claim.during().contains(hours(hour, hour + 1).start()))
                .mapToLong(
                        claim -> {
                            Share share = claim.share();
                            return share == null
                                    ? CORES
                                    : share.slots() * share.needs().getOrDefault("VCPU", 0L);
                        })
                .sum();
    }
}
