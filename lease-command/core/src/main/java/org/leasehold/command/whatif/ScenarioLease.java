package org.leasehold.command.whatif;

import org.leasehold.command.lease.ReplayedLease;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A lease in a what-if scenario. While its decisions match the record, it follows the record, with
 * delays, failures and retries. After the first difference, it follows its own window. Its cloud
 * then succeeds at once, and it executes its project's commands as far as possible.
 */
final class ScenarioLease {

    private final LeaseId id;
    private final int twin;
    private ReplayedLease state;
    private boolean diverged;

    private ScenarioLease(LeaseId id, int twin, ReplayedLease now) {
        this.id = id;
        this.twin = twin;
        this.state = now;
        this.diverged = twin > 0;
    }

    /**
     * Creates a lease with the same request.
     *
     * @param twin 0 for the lease itself
     */
    static ScenarioLease of(LeaseId lease, int twin, ReplayedLease absent) {
        return new ScenarioLease(
                twin == 0 ? lease : new LeaseId(uuid(lease + "/" + twin)), twin, absent);
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

    ReplayedLease state() {
        return state;
    }

    void setState(ReplayedLease next) {
        state = next;
    }

    boolean hasDiverged() {
        return diverged;
    }

    void diverge() {
        diverged = true;
    }

    /** Returns the command for this lease; empty if no user sends it. */
    Optional<LeaseCommand> adaptCommand(LeaseCommand command) {
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
                                    adapt(it.reservations()),
                                    it.retry(),
                                    it.onFailure()));
            case ChangeLease it ->
                    Optional.of(
                            new ChangeLease(
                                    id,
                                    it.name(),
                                    it.start(),
                                    it.end(),
                                    // It keeps its distance to an end that may differ.
                                    null,
                                    it.reservations().stream().map(this::adapt).toList(),
                                    adapt(it.further()),
                                    // The scenario may have refused to add some of them.
                                    it.removed().stream()
                                            .map(this::adapt)
                                            .filter(state.reservations()::contains)
                                            .toList()));
            case EndLease it ->
                    switch (it.cause()) {
                        case REQUESTED, FORCED -> Optional.of(new EndLease(id, it.cause()));
                        case WINDOW_OVER, MISSED, DELETED, START_FAILED -> Optional.empty();
                    };
            case DeleteLease _ -> Optional.of(new DeleteLease(id));
            case ForceEnd _ -> Optional.of(new ForceEnd(id));
            case LeaseCommand _ -> Optional.empty();
        };
    }

    /** Returns a recorded confirmation for the tenure that the lease has here. */
    LeaseCommand inOwnTenure(LeaseCommand command) {
        return switch (command) {
            case ConfirmStart it -> new ConfirmStart(id, ownTenure(it.tenure()), it.cloudIds());
            case ConfirmAdjustment it ->
                    new ConfirmAdjustment(id, ownTenure(it.tenure()), it.cloudIds());
            case LeaseCommand other -> other;
        };
    }

    private Tenure ownTenure(Tenure recorded) {
        return state.findTenure(recorded.reservation()).orElse(recorded);
    }

    private List<ReservationWish> adapt(List<ReservationWish> wishes) {
        return wishes.stream()
                .map(wish -> new ReservationWish(adapt(wish.id()), wish.kind(), wish.parameters()))
                .toList();
    }

    private ReservationChange adapt(ReservationChange change) {
        return new ReservationChange(adapt(change.id()), change.parameters());
    }

    private ReservationId adapt(ReservationId reservation) {
        return twin == 0 ? reservation : reservation.nested("twin " + twin);
    }
}
