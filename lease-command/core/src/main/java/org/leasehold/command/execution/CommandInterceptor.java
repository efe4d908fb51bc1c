package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.messaging.InterceptorChain;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.ContentionException;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.calendar.DecideAloneException;
import org.leasehold.command.calendar.refusal.PendingStartSearches;
import org.leasehold.command.calendar.stored.CalendarGroupCommit;
import org.leasehold.command.journal.EventTable;
import org.leasehold.command.journal.NotifyingEventStore;
import org.leasehold.command.request.CommandMetadata;
import org.leasehold.command.request.CommandReceipt;
import org.leasehold.command.request.IdempotencyKeys;
import org.leasehold.command.request.OriginTable;
import org.leasehold.command.request.TransactionKeys;
import org.leasehold.command.request.TransactionOrigins;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseRejection;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Runs inside the transaction of every command. A repeated request gets its first answer again. A
 * rejection and a rehearsal store nothing.
 */
final class CommandInterceptor implements MessageHandlerInterceptor<CommandMessage<?>> {

    private final NotifyingEventStore eventStore;
    private final EventTable events;
    private final IdempotencyKeys keys;
    private final OriginTable origins;
    private final CalendarGroupCommit calendar;
    private final PendingStartSearches nextStarts;
    private final Clock clock;

    CommandInterceptor(
            NotifyingEventStore journal,
            EventTable events,
            IdempotencyKeys keys,
            OriginTable origins,
            CalendarGroupCommit calendar,
            PendingStartSearches nextStarts,
            Clock clock) {
        this.eventStore = journal;
        this.events = events;
        this.keys = keys;
        this.origins = origins;
        this.calendar = calendar;
        this.nextStarts = nextStarts;
        this.clock = clock;
    }

    @Override
    public @Nullable Object handle(
            UnitOfWork<? extends CommandMessage<?>> unit, InterceptorChain chain) throws Exception {
        CommandMessage<?> command = unit.getMessage();
        CommandReceipt receipt = CommandMetadata.receipt(command);
        CommandContext context = CommandMetadata.context(command);
        if (receipt.isRehearsal()) {
            throw new RollbackWithResultException(rehearse(chain, receipt));
        }
        Idempotency key = context.idempotency();
        TransactionKeys taken = TransactionKeys.of(unit, keys);
        if (key != null && !taken.take(key, context.now())) {
            return keys.findOutcome(key)
                    .orElseThrow(
                            () ->
                                    new RollbackWithResultException(
                                            rejectReusedKey(command.getPayload(), key.key())));
        }
        if (key != null && context.origin() != null) {
            // After the key is taken: from here on, a repeat waits for this transaction.
            failIfTooOld(context);
        }
        TransactionOrigins came = TransactionOrigins.of(unit, origins);
        Object answer;
        try {
            answer = chain.proceed();
        } catch (DecideAloneException e) {
            // The group is committed without the command; its later decision alone needs the key.
            if (key != null) {
                taken.release(key);
            }
            throw e;
        }
        recordSearch(answer, receipt);
        boolean inGroup = unit.parent().isPresent();
        if (answer instanceof Rejected<?>
                || (answer instanceof Refused<?> && !calendar.canRefuse())) {
            // The transaction of a group continues; the calendar has undone its own changes.
            if (key != null && inGroup) {
                taken.release(key);
            }
            throw answer instanceof Rejected<?>
                    ? new RollbackWithResultException(answer)
                    : new DecideAloneException();
        }
        if (answer instanceof Refused<?>) {
            calendar.recordRefusal();
        } else {
            calendar.endRefusals();
        }
        if (!eventStore.stagedEvents().isEmpty()) {
            came.add(context);
        }
        // Registered after the event store's own listener, which appends: the position is known
        // then.
        unit.onPrepareCommit(
                ignored ->
                        unit.root()
                                .onPrepareCommit(
                                        root -> recordResult(unit.root(), receipt, key, answer)));
        return answer;
    }

    private Object rehearse(InterceptorChain chain, CommandReceipt receipt) throws Exception {
        Object answer = calendar.rehearse(chain::proceed);
        recordSearch(answer, receipt);
        receipt.setEvents(
                eventStore.stagedEvents().stream().<Object>map(Message::getPayload).toList());
        return answer;
    }

    /** The process may have stood still since the request came, with the machine below it. */
    private void failIfTooOld(CommandContext context) {
        Duration age = Duration.between(context.now(), clock.instant());
        if (age.compareTo(CommandMetadata.MAX_REQUEST_AGE) > 0) {
            throw new ContentionException("the request is " + age.toSeconds() + " s old");
        }
    }

    private void recordSearch(@Nullable Object answer, CommandReceipt receipt) {
        if (answer instanceof Refused<?>) {
            receipt.setNextStartSearch(nextStarts.takeLastSearch());
        }
    }

    private void recordResult(
            UnitOfWork<?> root, CommandReceipt receipt, @Nullable Idempotency key, Object answer) {
        OptionalLong appended = EventTable.lastAppendedPosition(root);
        appended.ifPresent(receipt::setPosition);
        if (key != null && answer instanceof Outcome<?> outcome) {
            TransactionKeys.of(root, keys)
                    .addOutcome(key, withPosition(appended.orElseGet(events::head), outcome));
        }
    }

    private static Rejected<?> rejectReusedKey(Object command, String key) {
        return command instanceof ResourceCommand
                ? new Rejected<>(new ResourceRejection.IdempotencyKeyReused(key))
                : new Rejected<>(new LeaseRejection.IdempotencyKeyReused(key));
    }

    /** Returns the outcome with its position, which a handler cannot know. */
    static <R> Outcome<R> withPosition(long position, Outcome<R> outcome) {
        return switch (outcome) {
            case Accepted<R> ignored -> new Accepted<>(position);
            case Refused<R> refused -> new Refused<>(List.copyOf(refused.shortages()), position);
            case Rejected<R> rejected -> rejected;
        };
    }
}
