package org.leasehold.command.lease;

import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.messaging.MetaData;
import org.axonframework.messaging.annotation.MetaDataValue;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.AggregateRoot;
import org.axonframework.modelling.command.CreationPolicy;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Outcome;
import org.leasehold.command.calendar.Calendar;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.count.LeaseCounts;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.RetryCreation;
import org.leasehold.lease.LeaseCommand.RetryEarly;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** The Axon shell around a {@link Lease}: it loads the state, decides and stores the events. */
@AggregateRoot(type = "Lease")
final class LeaseAggregate {

    private static final String USER = "user";

    /** Metadata keys of an event that identify the user and the reason. */
    private static final String[] USER_METADATA_KEYS = {
        USER, "project", "roles", "authentication", "reason"
    };

    // Axon reads the field by reflection.
    @SuppressWarnings("UnusedVariable")
    @AggregateIdentifier
    private @Nullable String id;

    private Lease lease = new Lease.Absent();

    /** The cause of the lease's end; null before the end. */
    private @Nullable EndCause cause;

    /** The user who requested the end, and the reason; empty for the engine. */
    private MetaData endMetadata = MetaData.emptyInstance();

    /** The user whose request is retried, and the reason; empty for the engine. */
    private MetaData retryMetadata = MetaData.emptyInstance();

    @CommandHandler(commandName = "org.leasehold.lease.LeaseCommand")
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Outcome<LeaseRejection> handle(
            LeaseCommand command,
            @MetaDataValue("now") Instant now,
            @MetaDataValue("expectedVersions") @Nullable Set<Long> expectedVersions,
            @MetaDataValue("context") @Nullable CommandContext context,
            LeaseDecider decider,
            Calendar calendar,
            LeaseCounts counts) {
        if (lease instanceof Lease.Living && expectedVersions != null) {
            // The loser of a race for the next version decides again, and then fails here.
            long version = AggregateLifecycle.getVersion() + 1;
            if (!expectedVersions.contains(version)) {
                return new Outcome.Rejected<>(
                        new LeaseRejection.VersionMismatch(command.leaseId(), version));
            }
        }
        boolean byUser = context != null && context.user() != null;
        // The limit applies to requests of users only.
        boolean limited = byUser && command instanceof CreateLease;
        ProjectLeases existing =
                limited && command instanceof CreateLease create
                        ? countExisting(create, counts)
                        : ProjectLeases.NONE;
        Lease before = lease;
        Proposal proposal = decider.propose(command, lease, existing, now);
        Decision decision =
                calendar.executeAndDecide(
                        proposal.request(), proposal.decide(), d -> d instanceof Decision.Accepted);
        return switch (decision) {
            case Decision.Accepted accepted -> {
                accepted.events()
                        .forEach(
                                event ->
                                        AggregateLifecycle.apply(
                                                event, metadataFor(command, event, byUser)));
                count(before, limited, counts);
                yield new Outcome.Accepted<>(0);
            }
            case Decision.Refused(LeaseEvent event, var shortages) -> {
                if (command instanceof CreateLease create
                        && limited
                        && counts.isFull(create.projectId())) {
                    throw new DecideAloneException();
                }
                AggregateLifecycle.apply(event, metadataFor(command, event, byUser));
                count(before, limited, counts);
                yield new Outcome.Refused<>(shortages, 0);
            }
            case Decision.Rejected(LeaseRejection rejection) -> new Outcome.Rejected<>(rejection);
        };
    }

    /** Counts the project's leases; those that are retried only for a request that may be. */
    private static ProjectLeases countExisting(CreateLease create, LeaseCounts counts) {
        return new ProjectLeases(
                counts.countUnfinished(create.projectId()),
                create.retry() == null ? 0 : counts.countRetried(create.projectId()));
    }

    private void count(Lease before, boolean limited, LeaseCounts counts) {
        Optional<ProjectId> after = lease.countedProject();
        if (before.countedProject().isEmpty()) {
            after.ifPresent(project -> counts.addLease(project, limited));
        } else if (after.isEmpty()) {
            counts.removeLease(before.countedProject().get());
        }
        if (before.retriedProject().isEmpty()) {
            lease.retriedProject().ifPresent(project -> counts.addRetried(project, limited));
        } else if (lease.retriedProject().isEmpty()) {
            counts.removeRetried(before.retriedProject().get());
        }
    }

    private MetaData metadataFor(LeaseCommand command, LeaseEvent event, boolean byUser) {
        return command instanceof RetryCreation || command instanceof RetryEarly
                ? retryMetadata
                : endMetadataFor(event, byUser);
    }

    /**
     * Returns the metadata of the user who requested the end. The last events of a lease follow
     * when the cloud is clean, maybe much later. Readers look for the user there.
     */
    private MetaData endMetadataFor(LeaseEvent event, boolean byUser) {
        return !byUser && (event instanceof LeaseEnded || event instanceof LeaseDeleted)
                ? endMetadata
                : MetaData.emptyInstance();
    }

    @EventSourcingHandler
    void on(LeaseEvent event, MetaData metadata) {
        id = event.leaseId().toString();
        lease = Lease.evolve(lease, event);
        // A retry does not change the user who requested the end.
        if (event instanceof LeaseEnding ending && ending.cause() != cause) {
            cause = ending.cause();
            endMetadata = userOf(metadata);
        }
        if (event instanceof LeaseRetryScheduled) {
            retryMetadata = userOf(metadata);
        }
    }

    private static MetaData userOf(MetaData metadata) {
        return metadata.containsKey(USER)
                ? metadata.subset(USER_METADATA_KEYS)
                : MetaData.emptyInstance();
    }
}
