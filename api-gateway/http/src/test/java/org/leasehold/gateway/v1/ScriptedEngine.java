package org.leasehold.gateway.v1;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;

import java.util.List;
import java.util.Objects;

/** The outcomes that a test sets for the next commands, and the last command that it sent. */
public abstract class ScriptedEngine {

    private @Nullable Outcome<LeaseRejection> nextForLease;
    private @Nullable Shortage nextOfFirst;
    private @Nullable Outcome<ResourceRejection> nextForResource;
    private @Nullable LeaseCommand lastCommand;
    private @Nullable CommandContext lastContext;

    /** Returns the position of the last event. */
    public abstract long position();

    final void resetScript() {
        nextForLease = null;
        nextOfFirst = null;
        nextForResource = null;
        lastCommand = null;
        lastContext = null;
    }

    public final void refuseNext(Shortage shortage) {
        nextForLease = new Outcome.Refused<>(List.of(shortage), position());
    }

    /** Sets a shortage of the first new reservation of the next request, with any id. */
    public final void refuseFirstOfNext(Shortage shortage) {
        nextOfFirst = shortage;
    }

    public final void rejectNext(LeaseRejection rejection) {
        nextForLease = new Outcome.Rejected<>(rejection);
    }

    public final void rejectNext(ResourceRejection rejection) {
        nextForResource = new Outcome.Rejected<>(rejection);
    }

    public final LeaseCommand lastCommand() {
        return Objects.requireNonNull(lastCommand);
    }

    public final CommandContext lastContext() {
        return Objects.requireNonNull(lastContext);
    }

    final void received(LeaseCommand command, CommandContext context) {
        lastCommand = command;
        lastContext = context;
    }

    final void received(CommandContext context) {
        lastContext = context;
    }

    /** Returns the outcome that a test has set for this command, once. */
    final @Nullable Outcome<LeaseRejection> scripted(LeaseCommand command) {
        Outcome<LeaseRejection> scripted = nextForLease;
        Shortage shortage = nextOfFirst;
        List<ReservationWish> wishes = newReservations(command);
        if (shortage != null && !wishes.isEmpty()) {
            scripted =
                    new Outcome.Refused<>(
                            List.of(
                                    new Shortage(
                                            wishes.getFirst().id(),
                                            shortage.kind(),
                                            shortage.wanted(),
                                            shortage.matching(),
                                            shortage.free(),
                                            shortage.part(),
                                            shortage.freeInPart(),
                                            shortage.nextStart())),
                            position());
        }
        nextForLease = null;
        nextOfFirst = null;
        return scripted;
    }

    private static List<ReservationWish> newReservations(LeaseCommand command) {
        if (command instanceof CreateLease create) {
            return create.reservations();
        }
        return command instanceof ChangeLease change ? change.further() : List.of();
    }

    /** Returns the outcome that a test has set for the next command to a resource, once. */
    final @Nullable Outcome<ResourceRejection> scriptedForResource() {
        Outcome<ResourceRejection> scripted = nextForResource;
        nextForResource = null;
        return scripted;
    }
}
