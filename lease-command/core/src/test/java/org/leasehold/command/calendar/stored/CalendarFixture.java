package org.leasehold.command.calendar.stored;

import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.CalendarRequest;
import org.leasehold.command.calendar.Grant;
import org.leasehold.command.calendar.refusal.PendingStartSearches;
import org.leasehold.command.calendar.timeline.FreeResourceTimeline.Claim;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A calendar under test, with its resources, commands and transactions. */
public interface CalendarFixture {

    Calendar calendar(Duration cleaning);

    /** Enrols the identical hosts 1 to {@code count}. */
    CalendarFixture withHosts(int count);

    void enrol(long id, Map<String, String> capabilities);

    void relabel(long id, Map<String, String> capabilities);

    /** Records new attributes of a host from the cloud. */
    void describe(long id, Map<String, ?> attributes);

    void disable(long id, String reason);

    void enable(long id);

    /** Appends an event, so that the position changes. */
    void happen();

    /** Runs a command in a transaction. */
    <T> T command(Supplier<T> body);

    /** Runs a command that keeps the calendar's answer. A refusal has its next starts. */
    Grant settle(Calendar calendar, CalendarRequest<?> request);

    /** Returns the answer to a request; a refusal has its next starts. */
    static Grant answer(Grant grant, PendingStartSearches nextStarts) {
        return grant instanceof Grant.HoldRefused(var shortages, long asOf)
                ? new Grant.HoldRefused(nextStarts.takeLastSearch().apply(shortages), asOf)
                : grant;
    }

    boolean isCurrent(Tenure tenure);

    Optional<LeaseId> leaseOf(ReservationId holder);

    List<Claim> claims(ReservationId reservation);

    /** Returns the ids of the resources that have a holder. */
    List<Long> holders();

    /** Returns the properties by which a reservation's resources were chosen. */
    List<String> reliesOn(ReservationId reservation);
}
