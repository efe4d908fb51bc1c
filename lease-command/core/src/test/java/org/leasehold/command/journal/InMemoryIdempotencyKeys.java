package org.leasehold.command.journal;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;
import org.leasehold.command.memory.UndoLog;
import org.leasehold.command.request.IdempotencyKeys;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Answers by project and key. */
final class InMemoryIdempotencyKeys implements IdempotencyKeys {

    private final UndoLog log;
    private final Map<List<String>, Answered> rows = new HashMap<>();

    InMemoryIdempotencyKeys(UndoLog log) {
        this.log = log;
    }

    /**
     * A row.
     *
     * @param outcome null while the command runs
     */
    private record Answered(String bodyHash, @Nullable Outcome<?> outcome, Instant at) {

        boolean isForgottenAt(Instant now) {
            return !at.isAfter(now.minus(Idempotency.RETENTION));
        }
    }

    private static List<String> row(Idempotency key) {
        return List.of(key.owner(), key.key());
    }

    @Override
    public Set<Idempotency> take(Map<Idempotency, Instant> requests) {
        Set<Idempotency> taken = new HashSet<>();
        requests.forEach(
                (key, now) -> {
                    Answered before = rows.get(row(key));
                    if (before == null || before.isForgottenAt(now)) {
                        put(key, new Answered(key.bodyHash(), null, now));
                        taken.add(key);
                    }
                });
        return taken;
    }

    @Override
    public void release(Idempotency key) {
        put(key, null);
    }

    @Override
    public Optional<Outcome<?>> findOutcome(Idempotency key) {
        return Optional.ofNullable(rows.get(row(key)))
                .filter(row -> row.bodyHash().equals(key.bodyHash()))
                .map(Answered::outcome);
    }

    @Override
    public void storeOutcomes(Map<Idempotency, ? extends Outcome<?>> answers) {
        answers.forEach(
                (key, outcome) -> {
                    Answered taken = rows.get(row(key));
                    if (taken != null) {
                        put(key, new Answered(taken.bodyHash(), outcome, taken.at()));
                    }
                });
    }

    @Override
    public int deleteExpired(Instant now, int limit) {
        int before = rows.size();
        rows.values().removeIf(row -> row.isForgottenAt(now) && before - rows.size() < limit);
        return before - rows.size();
    }

    /** Stores a row. Requests with one key never overlap: a repeat follows a lost response. */
    private void put(Idempotency key, @Nullable Answered now) {
        Answered before = now == null ? rows.remove(row(key)) : rows.put(row(key), now);
        log.wroteForItself(
                () -> {
                    if (before == null) {
                        rows.remove(row(key));
                    } else {
                        rows.put(row(key), before);
                    }
                });
    }
}
