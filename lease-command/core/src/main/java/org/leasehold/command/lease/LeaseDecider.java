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
 * All rules of a lease, from its request to its end, in two steps. {@link #propose} returns the
 * request to the calendar; the proposal decides on the grant. Pure: no clock, no I/O, no
 * randomness.
 */
final class LeaseDecider {

    private final CreationDecider creationDecider;
    private final ImportDecider importDecider;
    private final ChangeDecider changeDecider;
    private final StartDecider startDecider;
    private final EndDecider endDecider;

    LeaseDecider(Plugins plugins, LeaseSettings settings) {
        this(plugins, settings.dateRules(), settings.maxReservations(), settings.mostPerProject());
    }

    /** Creates a decider without limits, for past decisions under any settings. */
    static LeaseDecider forReplay(Plugins plugins) {
        return new LeaseDecider(plugins, DateRules.WITHOUT_MAXIMUM, Integer.MAX_VALUE, 0);
    }

    private LeaseDecider(Plugins plugins, DateRules dates, int maxReservations, long maxLeases) {
        DemandPlanner demands = new DemandPlanner(plugins);
        this.creationDecider = new CreationDecider(demands, dates, maxReservations, maxLeases);
        this.importDecider = new ImportDecider(demands);
        this.changeDecider = new ChangeDecider(demands, dates, maxReservations);
        this.startDecider = new StartDecider(demands);
        this.endDecider = new EndDecider();
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
            case CreateLease c -> creationDecider.propose(c, lease, unfinished, now);
            case ImportLease c -> importDecider.propose(c, lease, now);
            case ChangeLease c -> changeDecider.propose(c, lease, now);
            case StartLease c -> startDecider.propose(c, lease, now);
            case ConfirmStart c -> startDecider.propose(c, lease);
            case ConfirmAdjustment c -> startDecider.propose(c, lease);
            case RetryLease c -> startDecider.propose(c, lease, now);
            case ReportFault c -> startDecider.propose(c, lease);
            case NoteOutage c -> OutageDecider.propose(c, lease);
            case AnnounceEnd c -> endDecider.propose(c, lease, now);
            case EndLease c -> endDecider.propose(c, lease, now);
            case DeleteLease c -> endDecider.propose(c, lease, now);
            case ConfirmRelease c -> endDecider.propose(c, lease);
            case ForceEnd c -> endDecider.propose(c, lease, now);
        };
    }
}
