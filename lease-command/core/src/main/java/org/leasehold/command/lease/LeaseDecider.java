package org.leasehold.command.lease;

import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.ConfirmAdjustment;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.ConfirmStart;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.DeleteLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.ImportLease;
import org.leasehold.lease.LeaseCommand.NoteOutage;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.resource.Plugins;

import java.time.Instant;

/**
 * All rules of a lease's life, in two steps. {@link #propose} returns the request to the calendar;
 * the proposal decides on the grant. Pure: no clock, no I/O, no randomness.
 */
final class LeaseDecider {

    private final Request request;
    private final Import takeOver;
    private final Change change;
    private final Start start;
    private final End end;

    LeaseDecider(Plugins plugins, LeaseSettings settings) {
        this(plugins, settings.maxReservations(), settings.mostPerProject());
    }

    /** Creates a decider without limits, for past decisions under any settings. */
    static LeaseDecider ofThePast(Plugins plugins) {
        return new LeaseDecider(plugins, Integer.MAX_VALUE, 0);
    }

    private LeaseDecider(Plugins plugins, int mostReservations, long mostLeases) {
        Demands demands = new Demands(plugins);
        this.request = new Request(demands, mostReservations, mostLeases);
        this.takeOver = new Import(demands);
        this.change = new Change(demands, mostReservations);
        this.start = new Start(demands);
        this.end = new End();
    }

    /** Decides a command that no limit of a project applies to. */
    Proposal propose(LeaseCommand command, Lease lease, Instant now) {
        return propose(command, lease, 0, now);
    }

    /**
     * Decides a command.
     *
     * @param unfinished the number of the project's other leases that are not over; only a creation
     *     uses it
     */
    Proposal propose(LeaseCommand command, Lease lease, long unfinished, Instant now) {
        return switch (command) {
            case CreateLease c -> request.propose(c, lease, unfinished, now);
            case ImportLease c -> takeOver.propose(c, lease, now);
            case ChangeLease c -> change.propose(c, lease, now);
            case StartLease c -> start.propose(c, lease, now);
            case ConfirmStart c -> start.propose(c, lease);
            case ConfirmAdjustment c -> start.propose(c, lease);
            case RetryLease c -> start.propose(c, lease, now);
            case ReportFault c -> start.propose(c, lease);
            case NoteOutage c -> Outages.propose(c, lease);
            case AnnounceEnd c -> end.propose(c, lease, now);
            case EndLease c -> end.propose(c, lease, now);
            case DeleteLease c -> end.propose(c, lease, now);
            case ConfirmRelease c -> end.propose(c, lease);
            case ForceEnd c -> end.propose(c, lease, now);
        };
    }
}
