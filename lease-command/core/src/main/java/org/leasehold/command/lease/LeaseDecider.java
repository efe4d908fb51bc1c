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
import org.leasehold.lease.LeaseCommand.RecordOutage;
import org.leasehold.lease.LeaseCommand.ReplaceFailedResource;
import org.leasehold.lease.LeaseCommand.ReplaceResource;
import org.leasehold.lease.LeaseCommand.ReportFault;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryEarly;
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
    private final RetryDecider retryDecider;
    private final ImportDecider importDecider;
    private final ChangeDecider changeDecider;
    private final StartDecider startDecider;
    private final ConfirmationDecider confirmationDecider;
    private final EndDecider endDecider;
    private final OutageDecider outageDecider;

    LeaseDecider(Plugins plugins, LeaseSettings settings) {
        this(
                plugins,
                settings.dateRules(),
                settings.maxReservations(),
                settings.mostPerProject(),
                settings.retry());
    }

    /** Creates a decider without limits, for past decisions under any settings. */
    static LeaseDecider forReplay(Plugins plugins) {
        return new LeaseDecider(
                plugins,
                DateRules.WITHOUT_MAXIMUM,
                Integer.MAX_VALUE,
                0,
                RetrySettings.withoutLimits());
    }

    private LeaseDecider(
            Plugins plugins,
            DateRules dates,
            int maxReservations,
            long maxLeases,
            RetrySettings retries) {
        DemandPlanner demands = new DemandPlanner(plugins);
        this.creationDecider =
                new CreationDecider(demands, dates, maxReservations, maxLeases, retries);
        this.retryDecider = new RetryDecider(demands, retries.minInterval());
        this.importDecider = new ImportDecider(demands);
        this.changeDecider = new ChangeDecider(demands, dates, maxReservations);
        this.startDecider = new StartDecider(demands);
        this.confirmationDecider = new ConfirmationDecider(demands);
        this.endDecider = new EndDecider();
        this.outageDecider = new OutageDecider(demands, startDecider);
    }

    /** Decides a command that no limit of a project applies to. */
    Proposal propose(LeaseCommand command, Lease lease, Instant now) {
        return propose(command, lease, ProjectLeases.NONE, now);
    }

    /**
     * Decides a command.
     *
     * @param existing the numbers of the project's other leases; only a creation uses them
     */
    Proposal propose(LeaseCommand command, Lease lease, ProjectLeases existing, Instant now) {
        return switch (command) {
            case CreateLease c -> creationDecider.propose(c, lease, existing, now);
            case RetryCreation c -> retryDecider.propose(c, lease, now);
            case RetryEarly c -> retryDecider.propose(c, lease, now);
            case ImportLease c -> importDecider.propose(c, lease, now);
            case ChangeLease c -> changeDecider.propose(c, lease, now);
            case StartLease c -> startDecider.propose(c, lease, now);
            case ConfirmStart c -> confirmationDecider.propose(c, lease, now);
            case ConfirmAdjustment c -> confirmationDecider.propose(c, lease, now);
            case RetryLease c -> startDecider.propose(c, lease, now);
            case ReportFault c -> startDecider.propose(c, lease, now);
            case RecordOutage c -> OutageDecider.propose(c, lease);
            case ReplaceResource c -> outageDecider.propose(c, lease, now);
            case ReplaceFailedResource c -> outageDecider.propose(c, lease, now);
            case AnnounceEnd c -> endDecider.propose(c, lease, now);
            case EndLease c -> endDecider.propose(c, lease, now);
            case DeleteLease c -> endDecider.propose(c, lease, now);
            case ConfirmRelease c -> endDecider.propose(c, lease);
            case ForceEnd c -> endDecider.propose(c, lease, now);
        };
    }
}
