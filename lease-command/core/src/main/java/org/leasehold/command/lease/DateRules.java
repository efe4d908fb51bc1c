package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.lease.Lease.Ended;
import org.leasehold.command.lease.Lease.Pending;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.EndInPast;
import org.leasehold.lease.LeaseRejection.EndNotAfterStart;
import org.leasehold.lease.LeaseRejection.LeaseOver;
import org.leasehold.lease.LeaseRejection.LeaseTooLong;
import org.leasehold.lease.LeaseRejection.StartAlreadyHappened;
import org.leasehold.lease.LeaseRejection.StartInPast;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The rules for the dates of a lease. These are Blazar's checks in Blazar's order, so that its
 * clients get the text that they expect.
 *
 * @param maxDuration the maximum duration of a lease; zero for no limit
 * @param exemptProjects the projects without that limit
 */
record DateRules(Duration maxDuration, Set<ProjectId> exemptProjects) {

    /** The rules without a maximum duration. */
    static final DateRules WITHOUT_MAXIMUM = new DateRules(Duration.ZERO, Set.of());

    Optional<LeaseRejection> check(CreateLease command, Instant now) {
        Instant start = command.start();
        Instant end = command.end();
        if (start.isBefore(SharedLeaseRules.truncateToMinute(now))) {
            return Optional.of(new StartInPast(start, now));
        }
        if (!end.isAfter(start)) {
            return Optional.of(new EndNotAfterStart(start, end));
        }
        if (!end.isAfter(now)) {
            return Optional.of(new EndInPast(end, now));
        }
        return checkDuration(command.projectId(), Duration.between(start, end));
    }

    Optional<LeaseRejection> check(
            ChangeLease command, Lease lease, LeaseTerms terms, Instant now) {
        LeasePeriod period = terms.period();
        Instant start = orElse(command.start(), period.start());
        Instant end = orElse(command.end(), period.end());
        boolean startMoves = !start.equals(period.start());
        if (startMoves && (!(lease instanceof Pending) || period.start().isBefore(now))) {
            return Optional.of(new StartAlreadyHappened(period.start()));
        }
        if (startMoves && start.isBefore(SharedLeaseRules.truncateToMinute(now))) {
            return Optional.of(new StartInPast(start, now));
        }
        if (lease instanceof Ended || !period.end().isAfter(now)) {
            return Optional.of(new LeaseOver(period.end()));
        }
        if (end.isBefore(SharedLeaseRules.truncateToMinute(now))
                || endsBeforeItStarts(start, end, now)) {
            return Optional.of(new EndInPast(end, now));
        }
        Duration duration = Duration.between(start, end);
        // A lease from before the limit may be changed and shortened.
        return duration.compareTo(Duration.between(period.start(), period.end())) > 0
                ? checkDuration(terms.project(), duration)
                : Optional.empty();
    }

    /**
     * An end in the current minute is also allowed in the minute of the start: a lease that runs
     * then ends a second from now.
     */
    private static boolean endsBeforeItStarts(Instant start, Instant end, Instant now) {
        return start.isAfter(now) && !end.isAfter(start);
    }

    private Optional<LeaseRejection> checkDuration(ProjectId project, Duration duration) {
        return maxDuration.isPositive()
                        && duration.compareTo(maxDuration) > 0
                        && !exemptProjects.contains(project)
                ? Optional.of(new LeaseTooLong(duration, maxDuration))
                : Optional.empty();
    }

    /** Returns the instant, or the other one if it is null. */
    static Instant orElse(@Nullable Instant instant, Instant other) {
        return instant == null ? other : instant;
    }
}
