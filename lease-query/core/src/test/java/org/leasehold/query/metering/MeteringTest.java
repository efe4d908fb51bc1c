package org.leasehold.query.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.host;
import static org.leasehold.query.booking.BookingEventLog.minute;
import static org.leasehold.query.booking.BookingEventLog.share;
import static org.leasehold.query.booking.BookingEventLog.window;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.account.AccountEntry.What;
import org.leasehold.query.account.LeaseAccounts;
import org.leasehold.query.booking.BookingEventLog;
import org.leasehold.query.booking.LeaseBookings;
import org.leasehold.query.booking.RandomLeases;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.usage.Metering;
import org.leasehold.readmodel.usage.Metering.Reading;
import org.leasehold.readmodel.usage.UsageRecord;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A test of metering with random events and readings of leases; times are minutes after noon. */
class MeteringTest {

    private static final int SEEDS = Integer.getInteger("seeds", 6);
    private static final int EVENTS = 120;
    private static final int EVERYTHING = 1000;

    private static BookingEventLog journal;
    private static Metering metering;

    @BeforeAll
    static void open() {
        journal = new BookingEventLog();
        metering =
                new PostgresMetering(
                        journal.jdbc(),
                        new TransactionTemplate(journal.database.transactionManager()),
                        journal.streams());
    }

    @AfterAll
    static void close() {
        journal.close();
    }

    @BeforeEach
    void empty() {
        journal.empty();
        for (int host = 1; host <= RandomLeases.HOSTS; host++) {
            journal.enrol(host, "physical:host");
        }
    }

    /** Makes the read models apply the events so far. */
    private static void follow() {
        journal.follow();
        journal.jdbc()
                .update(
                        "UPDATE projection SET position = ? WHERE name = ?",
                        journal.database.head(),
                        EventFeed.READ_MODEL);
    }

    private static void read(long minute) {
        follow();
        metering.recordReading(minute(minute));
    }

    private static List<LeaseId> leases() {
        return journal.lives().keySet().stream().map(LeaseId::of).toList();
    }

    private static List<UsageRecord> ofEvents(long after, long through) {
        return metering.usageOfEvents(leases(), after, through);
    }

    private static List<UsageRecord> ofReadings(Instant after) {
        List<UsageRecord> records = new ArrayList<>();
        for (Reading reading : metering.readings(after, EVERYTHING)) {
            records.addAll(metering.usageOfReading(reading, metering.runningLeases(reading)));
        }
        return records;
    }

    private static List<UsageRecord> everything() {
        follow();
        List<UsageRecord> records = new ArrayList<>(ofEvents(0, journal.database.head()));
        records.addAll(ofReadings(Instant.EPOCH));
        return records;
    }

    /** Returns records such as {@code 1 active 2 lost 60-300}. */
    private static List<String> lines(Collection<UsageRecord> records) {
        return records.stream()
                .map(
                        each ->
                                "%s active %s lost %s-%s"
                                        .formatted(
                                                each.active(),
                                                each.lost(),
                                                minutes(each.from()),
                                                minutes(each.until())))
                .toList();
    }

    private static long minutes(Instant instant) {
        return Duration.between(minute(0), instant).toMinutes();
    }

    @Test
    void each_meter_reading_records_the_usage_since_the_previous_one() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        journal.start(65, 1);
        read(120);
        read(180);
        read(360);
        read(420);

        assertThat(lines(everything()))
                .containsExactly(
                        "0 active 1 lost 60-65",
                        "1 active 0 lost 65-120",
                        "1 active 0 lost 120-180",
                        "1 active 0 lost 180-300");
    }

    @Test
    void an_end_event_records_the_usage_since_the_last_reading() {
        journal.book(1, "astronomy", window(60, 300), share(1, 3));
        journal.start(60, 1);
        read(120);
        journal.end(150, 1, EndCause.REQUESTED);
        read(180);

        assertThat(lines(everything()))
                .containsExactly("3 active 0 lost 120-150", "3 active 0 lost 60-120");
    }

    /** A stalled node decides for a past time. */
    @Test
    void a_late_end_is_corrected_by_a_negative_record() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        journal.start(60, 1);
        read(120);
        journal.end(100, 1, EndCause.REQUESTED);

        assertThat(lines(everything()))
                .containsExactly("-1 active 0 lost 100-120", "1 active 0 lost 60-120");
    }

    @Test
    void a_changed_allocation_is_metered_in_a_separate_record() {
        journal.book(1, "astronomy", window(60, 300), share(1, 2));
        journal.start(60, 1);
        read(120);
        journal.grant(110, 1, window(60, 300), share(1, 3));

        List<UsageRecord> records = everything();
        assertThat(lines(records))
                .containsExactlyInAnyOrder(
                        "2 active 0 lost 60-120",
                        "-2 active 0 lost 110-120",
                        "2 active 1 lost 110-120");
        assertThat(records)
                .filteredOn(each -> each.from().equals(minute(110)))
                .extracting(each -> each.allocation().slots())
                .containsExactlyInAnyOrder(2, 3);
    }

    @Test
    void a_repeated_or_earlier_reading_is_ignored() {
        read(120);
        read(120);
        read(60);
        journal.book(1, "astronomy", window(60, 300), host(1));
        read(180);

        assertThat(metering.readings(Instant.EPOCH, EVERYTHING))
                .containsExactly(
                        new Reading(minute(120), 4, null),
                        new Reading(minute(180), 6, minute(120)));
        assertThat(metering.readings(minute(120), EVERYTHING))
                .extracting(Reading::at)
                .containsExactly(minute(180));
        assertThat(metering.readings(Instant.EPOCH, 1))
                .extracting(Reading::at)
                .containsExactly(minute(120));
    }

    @Test
    void a_reading_waits_for_the_projection_of_the_booking_calendar() {
        journal.book(1, "astronomy", window(60, 300), host(1));
        read(120);
        journal.jdbc()
                .update(
                        "UPDATE projection SET position = 5 WHERE name = ?",
                        BookingCalendar.READ_MODEL);

        assertThat(metering.readings(Instant.EPOCH, EVERYTHING)).isEmpty();
    }

    /** A lease's allocation of a resource. */
    private record Key(String lease, Object reservation, Object resource, Object allocation) {}

    @Test
    void the_usage_records_of_a_lease_add_up_to_the_lease_account() {
        int negative = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            empty();
            negative += live(new SplittableRandom(seed));
        }
        assertThat(negative).isPositive();
    }

    private static int live(SplittableRandom random) {
        List<UsageRecord> published = new ArrayList<>();
        long[] now = new long[1];
        long[] metered = new long[1];
        Instant[] read = {Instant.EPOCH};
        Runnable publish =
                () -> {
                    follow();
                    long head = journal.database.head();
                    published.addAll(ofEvents(metered[0], head));
                    metered[0] = head;
                    published.addAll(ofReadings(read[0]));
                    read[0] =
                            metering.readings(read[0], EVERYTHING).stream()
                                    .map(Reading::at)
                                    .reduce(read[0], (_, last) -> last);
                    // Clocks differ.
                    metering.recordReading(minute(Math.max(0, now[0] + random.nextInt(-10, 10))));
                };
        new RandomLeases(journal, random, publish).with(minute -> now[0] = minute).live(EVENTS);
        metering.recordReading(minute(100_000));
        published.addAll(ofReadings(read[0]));

        assertThat(published).extracting(UsageRecord::id).doesNotHaveDuplicates();
        // A consumer that has lost its state makes the same ones.
        assertThat(everything()).containsExactlyInAnyOrderElementsOf(published);
        assertThat(inPieces(random))
                .containsExactlyInAnyOrderElementsOf(ofEvents(0, journal.database.head()));
        assertThat(sums(published)).isEqualTo(accounts());
        return (int) published.stream().filter(each -> each.active() < 0).count();
    }

    private static List<UsageRecord> inPieces(SplittableRandom random) {
        List<UsageRecord> records = new ArrayList<>();
        long head = journal.database.head();
        long after = 0;
        while (after < head) {
            long through = Math.min(head, after + random.nextInt(1, 40));
            records.addAll(ofEvents(after, through));
            after = through;
        }
        return records;
    }

    private static Map<Key, List<Duration>> sums(List<UsageRecord> records) {
        Map<Key, List<Duration>> sums = new HashMap<>();
        for (UsageRecord each : records) {
            add(
                    sums,
                    new Key(
                            each.lease().toString(),
                            each.reservation(),
                            each.resource(),
                            each.allocation()),
                    each.activeTime(),
                    each.lostTime());
        }
        return withoutNothing(sums);
    }

    private static Map<Key, List<Duration>> accounts() {
        Map<Key, List<Duration>> sums = new HashMap<>();
        journal.lives()
                .forEach(
                        (lease, life) -> {
                            for (AccountEntry each :
                                    LeaseAccounts.of(LeaseBookings.of(life), minute(100_000))) {
                                if (each.what() != What.OVERRUN) {
                                    boolean active = each.what() == What.ACTIVE;
                                    add(
                                            sums,
                                            new Key(
                                                    lease,
                                                    each.reservation(),
                                                    each.resource(),
                                                    each.promised()),
                                            active ? each.time() : Duration.ZERO,
                                            active ? Duration.ZERO : each.time());
                                }
                            }
                        });
        assertThat(new HashSet<>(sums.values())).hasSizeGreaterThan(1);
        return withoutNothing(sums);
    }

    private static void add(
            Map<Key, List<Duration>> sums, Key key, Duration active, Duration lost) {
        sums.merge(
                key,
                List.of(active, lost),
                (one, other) ->
                        List.of(
                                one.getFirst().plus(other.getFirst()),
                                one.getLast().plus(other.getLast())));
    }

    private static Map<Key, List<Duration>> withoutNothing(Map<Key, List<Duration>> sums) {
        sums.values().removeIf(sum -> sum.stream().allMatch(Duration::isZero));
        return sums;
    }
}
