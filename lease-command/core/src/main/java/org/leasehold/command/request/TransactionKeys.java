package org.leasehold.command.request;

import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The idempotency keys of the commands of one transaction. One statement takes all keys of a group,
 * and another one stores their answers.
 */
public final class TransactionKeys {

    private static final String RESOURCE = TransactionKeys.class.getName();

    private final IdempotencyKeys keys;
    private final UnitOfWork<?> root;

    /** The requested keys; true for each that this transaction has taken. */
    private final Map<Idempotency, Boolean> taken = new HashMap<>();

    private final Map<Idempotency, Outcome<?>> outcomes = new LinkedHashMap<>();

    private TransactionKeys(IdempotencyKeys keys, UnitOfWork<?> root) {
        this.keys = keys;
        this.root = root;
    }

    /** Returns the keys of the transaction that a unit of work belongs to. */
    public static TransactionKeys of(UnitOfWork<?> unit, IdempotencyKeys keys) {
        UnitOfWork<?> root = unit.root();
        return root.getOrComputeResource(RESOURCE, _ -> new TransactionKeys(keys, root));
    }

    /** Takes the keys of all commands that have one. */
    public void takeAll(List<? extends CommandMessage<?>> commands) {
        Map<Idempotency, Instant> requests = new LinkedHashMap<>();
        for (CommandMessage<?> command : commands) {
            Idempotency key = CommandMetadata.context(command).idempotency();
            if (key != null && !CommandMetadata.receipt(command).isRehearsal()) {
                requests.put(key, CommandMetadata.context(command).now());
            }
        }
        if (!requests.isEmpty()) {
            Set<Idempotency> free = keys.take(requests);
            requests.keySet().forEach(key -> taken.put(key, free.contains(key)));
        }
    }

    /** Returns true if this transaction has the key; takes it at the first request. */
    public boolean take(Idempotency key, Instant now) {
        return taken.computeIfAbsent(key, _ -> !keys.take(Map.of(key, now)).isEmpty());
    }

    /** Frees the key for later requests. */
    public void release(Idempotency key) {
        keys.release(key);
    }

    /** Stores an answer with those of the transaction's other commands, before it commits. */
    public void addOutcome(Idempotency key, Outcome<?> answer) {
        if (outcomes.isEmpty()) {
            // Handlers run in order, and those of the other commands are registered already.
            root.onPrepareCommit(_ -> keys.storeOutcomes(outcomes));
        }
        outcomes.put(key, answer);
    }
}
