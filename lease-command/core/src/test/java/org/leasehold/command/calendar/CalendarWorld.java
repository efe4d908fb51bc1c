package org.leasehold.command.calendar;

import org.leasehold.command.calendar.FreeTime.Claim;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A calendar under test, and what is around it. */
interface CalendarWorld {

    Calendar calendar(Duration cleaning);

    /** Enrols hosts 1 to {@code count}, all alike. */
    CalendarWorld withHosts(int count);

    void enrol(long id, Map<String, String> capabilities);

    void relabel(long id, Map<String, String> capabilities);

    /** The cloud says of a host what it did not say before. */
    void describe(long id, Map<String, ?> attributes);

    void disable(long id, String reason);

    void enable(long id);

    /** Appends an event: the position is another one. */
    void happen();

    /** One command: a transaction. */
    <T> T command(Supplier<T> body);

    /** One command that keeps the calendar's answer. A refusal has its next starts. */
    Grant settle(Calendar calendar, CalendarRequest request);

    /** The answer to a request: a refusal with its next starts. */
    static Grant answer(Grant grant, NextStarts nextStarts) {
        return grant instanceof Grant.TooFew(var shortages, long asOf)
                ? new Grant.TooFew(nextStarts.take().apply(shortages), asOf)
                : grant;
    }

    boolean isCurrent(Tenure tenure);

    Optional<LeaseId> leaseOf(ReservationId holder);

    List<Claim> claims(ReservationId reservation);

    /** Which resources are in anybody's hands. */
    List<Long> holders();

    /** The properties by which a reservation's resources were chosen. */
    List<String> reliesOn(ReservationId reservation);
}
