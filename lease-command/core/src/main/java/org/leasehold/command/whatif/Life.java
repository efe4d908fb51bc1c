package org.leasehold.command.whatif;

import org.leasehold.command.lease.LivedAgain;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A lease in another world. While its decisions match the record, it follows the record, with
 * delays, failures and retries. After the first difference, it follows its own window. Its cloud
 * then succeeds at once, and it executes its project's commands as far as possible.
 */
final class Life {

    private final LeaseId id;
    private final int twin;
    private LivedAgain now;
    private boolean itsOwn;

    private Life(LeaseId id, int twin, LivedAgain now) {
        this.id = id;
        this.twin = twin;
        this.now = now;
        this.itsOwn = twin > 0;
    }

    /**
     * Creates a lease with the same request.
     *
     * @param twin 0 for the lease itself
     */
    static Life of(LeaseId lease, int twin, LivedAgain absent) {
        return new Life(twin == 0 ? lease : new LeaseId(uuid(lease + "/" + twin)), twin, absent);
    }

    private static UUID uuid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    LeaseId id() {
        return id;
    }

    boolean isTwin() {
        return twin > 0;
    }

    LivedAgain now() {
        return now;
    }

    void becomes(LivedAgain next) {
        now = next;
    }

    boolean isItsOwn() {
        return itsOwn;
    }

    void goesItsOwnWay() {
        itsOwn = true;
    }

    /** Returns the command for this lease; empty if no user sends it. */
    Optional<LeaseCommand> asks(LeaseCommand command) {
        return switch (command) {
            case CreateLease it ->
                    Optional.of(
                            new CreateLease(
                                    id,
                                    it.projectId(),
                                    it.userId(),
                                    it.name(),
                                    it.start(),
                                    it.end(),
                                    it.beforeEnd(),
                                    its(it.reservations())));
            case ChangeLease it ->
                    Optional.of(
                            new ChangeLease(
                                    id,
                                    it.name(),
                                    it.start(),
                                    it.end(),
                                    // It keeps its distance to an end that may differ.
                                    null,
                                    it.reservations().stream().map(this::its).toList(),
                                    its(it.further())));
            case EndLease it ->
                    switch (it.cause()) {
                        case REQUESTED, FORCED -> Optional.of(new EndLease(id, it.cause()));
                        case WINDOW_OVER, MISSED, DELETED -> Optional.empty();
                    };
            case DeleteLease _ -> Optional.of(new DeleteLease(id));
            case ForceEnd _ -> Optional.of(new ForceEnd(id));
            case LeaseCommand _ -> Optional.empty();
        };
    }

    private List<ReservationWish> its(List<ReservationWish> wishes) {
        return wishes.stream()
                .map(wish -> new ReservationWish(its(wish.id()), wish.kind(), wish.parameters()))
                .toList();
    }

    private ReservationChange its(ReservationChange change) {
        return new ReservationChange(its(change.id()), change.parameters());
    }

    private ReservationId its(ReservationId reservation) {
        return twin == 0 ? reservation : reservation.nested("twin " + twin);
    }
}
