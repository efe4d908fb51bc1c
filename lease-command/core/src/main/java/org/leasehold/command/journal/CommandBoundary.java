package org.leasehold.command.journal;

import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.messaging.InterceptorChain;
import org.axonframework.messaging.Message;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.calendar.CalendarGroup;
import org.leasehold.command.calendar.NextStarts;
import org.leasehold.command.calendar.Postponed;
import org.leasehold.inventory.ResourceCommand;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseRejection;

import java.util.List;
import java.util.OptionalLong;

/**
 * Runs inside the transaction of every command: a request that is repeated gets its answer again, a
 * rejection leaves nothing behind, and a rehearsal neither.
 */
final class CommandBoundary implements MessageHandlerInterceptor<CommandMessage<?>> {

    private final Journal journal;
    private final EventTable events;
    private final IdempotencyKeys keys;
    private final OriginTable origins;
    private final CalendarGroup calendar;
    private final NextStarts nextStarts;

    CommandBoundary(
            Journal journal,
            EventTable events,
            IdempotencyKeys keys,
            OriginTable origins,
            CalendarGroup calendar,
            NextStarts nextStarts) {
        this.journal = journal;
        this.events = events;
        this.keys = keys;
        this.origins = origins;
        this.calendar = calendar;
        this.nextStarts = nextStarts;
    }

    @Override
    public @Nullable Object handle(
            UnitOfWork<? extends CommandMessage<?>> unit, InterceptorChain chain) throws Exception {
        CommandMessage<?> command = unit.getMessage();
        Receipt receipt = CommandMetadata.receipt(command);
        CommandContext context = CommandMetadata.context(command);
        if (receipt.isRehearsal()) {
            Object answer = calendar.rehearse(chain::proceed);
            noteSearch(answer, receipt);
            receipt.rehearsed(journal.staged().stream().<Object>map(Message::getPayload).toList());
            throw new Undone(answer);
        }
        Idempotency key = context.idempotency();
        TransactionKeys taken = TransactionKeys.of(unit, keys);
        if (key != null && !taken.take(key, context.now())) {
            return keys.answer(key)
                    .orElseThrow(() -> new Undone(reused(command.getPayload(), key.key())));
        }
        Origins came = Origins.of(unit, origins);
        Object answer;
        try {
            answer = chain.proceed();
        } catch (Postponed e) {
            // The group is committed without it; the key must be free when it is decided alone.
            if (key != null) {
                taken.release(key);
            }
            throw e;
        }
        noteSearch(answer, receipt);
        boolean inGroup = unit.parent().isPresent();
        if (answer instanceof Rejected<?> || (answer instanceof Refused<?> && inGroup)) {
            // The transaction of a group goes on; what the calendar did, it has undone itself.
            if (key != null && inGroup) {
                taken.release(key);
            }
            throw answer instanceof Rejected<?> ? new Undone(answer) : new Postponed();
        }
        if (!journal.staged().isEmpty()) {
            came.add(context);
        }
        // Registered when the event store has registered its own, which appends: the position is
        // known by then.
        unit.onPrepareCommit(
                ignored ->
                        unit.root()
                                .onPrepareCommit(
                                        root -> settle(unit.root(), receipt, key, answer)));
        return answer;
    }

    private void noteSearch(@Nullable Object answer, Receipt receipt) {
        if (answer instanceof Refused<?>) {
            receipt.refused(nextStarts.take());
        }
    }

    private void settle(
            UnitOfWork<?> root, Receipt receipt, @Nullable Idempotency key, Object answer) {
        OptionalLong appended = EventTable.appendedBy(root);
        appended.ifPresent(receipt::stored);
        if (key != null && answer instanceof Outcome<?> outcome) {
            TransactionKeys.of(root, keys)
                    .remember(key, at(appended.orElseGet(events::head), outcome));
        }
    }

    private static Rejected<?> reused(Object command, String key) {
        return command instanceof ResourceCommand
                ? new Rejected<>(new ResourceRejection.IdempotencyKeyReused(key))
                : new Rejected<>(new LeaseRejection.IdempotencyKeyReused(key));
    }

    /** The outcome with its position, which a handler cannot know. */
    static <R> Outcome<R> at(long position, Outcome<R> outcome) {
        return switch (outcome) {
            case Accepted<R> ignored -> new Accepted<>(position);
            case Refused<R> refused -> new Refused<>(List.copyOf(refused.shortages()), position);
            case Rejected<R> rejected -> rejected;
        };
    }
}
