package org.leasehold.command.journal;

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
 * The idempotency keys of the commands of one transaction. However many commands a group has, its
 * keys are taken in one statement, and their answers are stored in another one.
 */
final class TransactionKeys {

    private static final String RESOURCE = TransactionKeys.class.getName();

    private final IdempotencyKeys keys;
    private final UnitOfWork<?> root;

    /** Whether this transaction has taken a key, by each key that it asked for. */
    private final Map<Idempotency, Boolean> taken = new HashMap<>();

    private final Map<Idempotency, Outcome<?>> answers = new LinkedHashMap<>();

    private TransactionKeys(IdempotencyKeys keys, UnitOfWork<?> root) {
        this.keys = keys;
        this.root = root;
    }

    /** The keys of the transaction to which a unit of work belongs. */
    static TransactionKeys of(UnitOfWork<?> unit, IdempotencyKeys keys) {
        UnitOfWork<?> root = unit.root();
        return root.getOrComputeResource(RESOURCE, _ -> new TransactionKeys(keys, root));
    }

    /** Takes the keys of all commands that have one. */
    void takeAll(List<? extends CommandMessage<?>> commands) {
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

    /** Whether this transaction has the key; takes it unless it was asked for before. */
    boolean take(Idempotency key, Instant now) {
        return taken.computeIfAbsent(key, _ -> !keys.take(Map.of(key, now)).isEmpty());
    }

    /** Lets later requests take the key. */
    void release(Idempotency key) {
        keys.release(key);
    }

    /** Stores an answer with those of the transaction's other commands, before it commits. */
    void remember(Idempotency key, Outcome<?> answer) {
        if (answers.isEmpty()) {
            // Handlers run in order, and those of the other commands are registered already.
            root.onPrepareCommit(_ -> keys.remember(answers));
        }
        answers.put(key, answer);
    }
}
