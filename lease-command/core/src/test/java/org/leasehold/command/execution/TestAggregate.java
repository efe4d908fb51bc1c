package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.AggregateRoot;
import org.axonframework.modelling.command.CreationPolicy;
import org.leasehold.command.Outcome;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.journal.EventSamples;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.RetryLease;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseChangeRefused;
import org.leasehold.lease.LeaseEvent.LeaseEndAnnounced;
import org.leasehold.lease.LeaseEvent.LeaseRenamed;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.LeaseExists;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A minimal aggregate that can accept, refuse, reject, postpone, or fail after a decision. */
@AggregateRoot(type = "Lease")
public final class TestAggregate {

    @AggregateIdentifier private String id;
    private int renamings;

    public static AggregateDefinition<TestAggregate> shell(AtomicInteger decisions) {
        return new AggregateDefinition<>(
                TestAggregate.class, TestAggregate::new, List.of(decisions));
    }

    @CommandHandler(commandName = "org.leasehold.lease.LeaseCommand")
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Outcome<LeaseRejection> handle(LeaseCommand command, AtomicInteger decisions) {
        decisions.incrementAndGet();
        if (id == null && !(command instanceof CreateLease)) {
            return new Outcome.Rejected<>(new LeaseNotFound(command.leaseId()));
        }
        return switch (command) {
            case CreateLease create when id != null ->
                    new Outcome.Rejected<>(new LeaseExists(create.leaseId()));
            case CreateLease create -> accepted(requested(create));
            case ChangeLease change ->
                    accepted(
                            new LeaseRenamed(
                                    change.leaseId(), change.name() + " " + (renamings + 1)));
            case EndLease end -> {
                AggregateLifecycle.apply(
                        new LeaseChangeRefused(
                                end.leaseId(), EventSamples.PERIOD, List.of(), List.of(), 1));
                yield new Outcome.Refused<>(List.of(), 0);
            }
            case ForceEnd force -> {
                AggregateLifecycle.apply(new LeaseRenamed(force.leaseId(), "broken"));
                throw new IllegalStateException("a defect");
            }
            case RetryLease retry -> {
                AggregateLifecycle.apply(new LeaseRenamed(retry.leaseId(), "broken"));
                CurrentUnitOfWork.get()
                        .root()
                        .onPrepareCommit(
                                _ -> {
                                    throw new StackOverflowError("an error");
                                });
                yield new Outcome.Accepted<>(0);
            }
            case AnnounceEnd announce -> {
                if (CurrentUnitOfWork.get().parent().isPresent()) {
                    throw new DecideAloneException();
                }
                yield accepted(new LeaseEndAnnounced(announce.leaseId()));
            }
            case StartLease ignored -> new Outcome.Accepted<>(0);
            default -> throw new UnsupportedOperationException();
        };
    }

    private static Outcome<LeaseRejection> accepted(LeaseEvent event) {
        AggregateLifecycle.apply(event);
        return new Outcome.Accepted<>(0);
    }

    private static LeaseRequested requested(CreateLease create) {
        return new LeaseRequested(
                create.leaseId(),
                create.projectId(),
                create.userId(),
                create.name(),
                new LeasePeriod(create.start(), create.end()),
                create.beforeEnd(),
                create.reservations(),
                null);
    }

    @EventSourcingHandler
    void on(LeaseEvent event) {
        id = event.leaseId().toString();
        if (event instanceof LeaseRenamed) {
            renamings++;
        }
    }
}
