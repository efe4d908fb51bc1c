package org.leasehold.command.lease;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.BeforeEndOutside;
import org.leasehold.lease.LeaseRejection.InvalidName;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;
import org.leasehold.lease.LeaseRejection.TooManyReservations;
import org.leasehold.lease.LeaseRejection.WrongStatus;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Rules that several commands share. */
final class SharedLeaseRules {

    /** Blazar's limit, which its clients know. */
    private static final int MAX_NAME_LENGTH = 80;

    private SharedLeaseRules() {}

    /** Blazar's clients know minutes only: a time in the current minute is not yet in the past. */
    static Instant truncateToMinute(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MINUTES);
    }

    static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    static Optional<LeaseRejection> checkName(String name) {
        int length = name.codePointCount(0, name.length());
        return length > MAX_NAME_LENGTH
                ? Optional.of(new InvalidName(length, MAX_NAME_LENGTH))
                : Optional.empty();
    }

    /** Checks a lease that grows; an existing lease may stay as it is. */
    static Optional<LeaseRejection> checkReservationCount(int reservations, int max) {
        return reservations > max ? Optional.of(new TooManyReservations(max)) : Optional.empty();
    }

    /** An announcement at the very start is allowed: defaults are clamped to it. */
    static Optional<LeaseRejection> checkBeforeEnd(
            @Nullable Instant beforeEnd, LeasePeriod period) {
        return beforeEnd == null || period.contains(beforeEnd)
                ? Optional.empty()
                : Optional.of(new BeforeEndOutside(beforeEnd, period));
    }

    /** Returns a list as events have it: null instead of an empty one. */
    static <T> @Nullable List<T> orNull(List<T> list) {
        return list.isEmpty() ? null : list;
    }

    static Proposal notFound(LeaseId id) {
        return rejected(new LeaseNotFound(id));
    }

    static Proposal wrongStatus(Lease lease, String asked) {
        return rejected(new WrongStatus(statusName(lease), asked));
    }

    /** Returns the name of a state in stored and published rejections, which never changes. */
    private static String statusName(Lease lease) {
        return switch (lease) {
            case Lease.Absent _ -> "Absent";
            case Lease.Refused _ -> "Refused";
            case Lease.Deleted _ -> "Deleted";
            case Lease.Retrying _ -> "Retrying";
            case Lease.Pending _ -> "Pending";
            case Lease.Delayed _ -> "Delayed";
            case Lease.Starting _ -> "Starting";
            case Lease.Active _ -> "Active";
            case Lease.Failed _ -> "Failed";
            case Lease.Ending _ -> "Ending";
            case Lease.EndFailed _ -> "EndFailed";
            case Lease.Ended _ -> "Ended";
        };
    }

    static Proposal rejected(LeaseRejection rejection) {
        return Proposal.decided(Decision.rejected(rejection));
    }

    static Proposal nothingToDo() {
        return Proposal.decided(Decision.accepted());
    }
}
