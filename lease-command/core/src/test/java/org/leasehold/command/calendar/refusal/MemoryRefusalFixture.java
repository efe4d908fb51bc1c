package org.leasehold.command.calendar.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.hosts;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;
import static org.leasehold.command.calendar.stored.SampleRequests.lease;

import org.junit.jupiter.api.BeforeEach;
import org.leasehold.calendar.Demand;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.claim.Claims;
import org.leasehold.command.calendar.claim.PostgresClaims;
import org.leasehold.command.calendar.stored.CalendarGroupCommit;
import org.leasehold.command.calendar.stored.ObservedClaims;
import org.leasehold.command.calendar.stored.PostgresCalendarFixture;
import org.leasehold.command.calendar.stored.SampleRequests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Two calendars on the same tables: one refuses from memory, the other one from the tables. */
abstract class MemoryRefusalFixture {

    static final int HOSTS = 6;
    static final List<Demand.Spread> SPREADS = List.of(Demand.Spread.values());
    private static final List<String> READS = List.of("readSnapshot", "survey", "findTouching");

    final PostgresCalendarFixture database = new PostgresCalendarFixture();
    final Claims claims = new PostgresClaims(database.jdbc, Duration.ZERO);
    final List<String> reads = new ArrayList<>();
    final SampleMemory memory = new SampleMemory(database.index);
    final Calendar fromTables = database.calendar();
    final Calendar fromMemory = calendar(RefusalConfirmation.MAX_EXPLAINED_CLAIMS);
    final CalendarGroupCommit group = Objects.requireNonNull(database.group);

    Calendar calendar(int maxExplainedClaims) {
        Claims recorded =
                ObservedClaims.of(
                        claims,
                        (method, _, _) -> {
                            if (READS.contains(method)) {
                                reads.add(method);
                            }
                        });
        return database.calendar(
                recorded,
                new RefusalConfirmation(
                        recorded, memory, (refused, _, _) -> refused, maxExplainedClaims));
    }

    @BeforeEach
    void enrolHosts() {
        IntStream.rangeClosed(1, HOSTS)
                .forEach(id -> database.enrol(id, id % 2 == 0 ? Map.of("gpu", "yes") : Map.of()));
        // The first hold of a calendar loads the inventory.
        decide(fromMemory, lease(hours(90, 91), hosts(1, 1)));
    }

    Grant decide(Calendar calendar, SampleRequests.SampleLease lease) {
        return database.decide(calendar, lease.hold());
    }

    void hold(SampleRequests.SampleLease lease) {
        assertThat(decide(fromTables, lease)).isInstanceOf(Grant.Held.class);
    }

    /** Brings memory to the head of the event log. */
    void updateMemory() {
        memory.load(database.jdbc);
        reads.clear();
    }

    Grant decideWithoutEffect(Calendar calendar, SampleRequests.SampleLease lease) {
        return Objects.requireNonNull(
                database.transactions.execute(
                        transaction -> {
                            transaction.setRollbackOnly();
                            return calendar.executeAndDecide(
                                    lease.hold(), grant -> grant, _ -> true);
                        }));
    }

    Grant settle(CalendarRequest<?> request) {
        return fromMemory.executeAndDecide(request, grant -> grant, _ -> true);
    }
}
