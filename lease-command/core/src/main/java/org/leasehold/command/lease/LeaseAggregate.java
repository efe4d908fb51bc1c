package org.leasehold.command.lease;

import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.messaging.annotation.MetaDataValue;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.AggregateRoot;
import org.axonframework.modelling.command.CreationPolicy;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.Outcome;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseRejection;

import java.time.Instant;
import java.util.Set;

/** The shell around a {@link Lease}: Axon loads it, asks it and stores what it says. */
@AggregateRoot(type = "Lease")
final class LeaseAggregate {

    // Axon reads it by reflection.
    @SuppressWarnings("UnusedVariable")
    @AggregateIdentifier
    private @Nullable String id;

    private Lease lease = new Lease.Absent();

    @CommandHandler(commandName = "org.leasehold.lease.LeaseCommand")
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Outcome<LeaseRejection> handle(
            LeaseCommand command,
            @MetaDataValue("now") Instant now,
            @MetaDataValue("expectedVersions") @Nullable Set<Long> expectedVersions,
            LeaseDecider decider,
            Calendar calendar) {
        if (lease instanceof Lease.Living && expectedVersions != null) {
            // The loser of a race for the next version decides again, and then fails here.
            long version = AggregateLifecycle.getVersion() + 1;
            if (!expectedVersions.contains(version)) {
                return new Outcome.Rejected<>(
                        new LeaseRejection.VersionMismatch(command.leaseId(), version));
            }
        }
        Proposal proposal = decider.propose(command, lease, now);
        Decision decision =
                calendar.settle(
                        proposal.request(), proposal.decide(), d -> d instanceof Decision.Accepted);
        return switch (decision) {
            case Decision.Accepted accepted -> {
                accepted.events().forEach(AggregateLifecycle::apply);
                yield new Outcome.Accepted<>(0);
            }
            case Decision.Refused(LeaseEvent event, var shortages) -> {
                AggregateLifecycle.apply(event);
                yield new Outcome.Refused<>(shortages, 0);
            }
            case Decision.Rejected(LeaseRejection rejection) -> new Outcome.Rejected<>(rejection);
        };
    }

    @EventSourcingHandler
    void on(LeaseEvent event) {
        id = event.leaseId().toString();
        lease = Lease.evolve(lease, event);
    }
}
