package org.leasehold.gateway.v1;

import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.IdempotentResponses;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stored responses in memory. Tests set the known commands. */
public final class FakeIdempotentResponses implements IdempotentResponses {

    private final Map<Idempotency, Answer> answers = new HashMap<>();
    private final Map<List<String>, Command> accepted = new HashMap<>();

    /** An accepted command, and the request that sent it. */
    private record Command(Idempotency key, long position) {}

    public synchronized void accept(Idempotency key, long position) {
        accepted.put(List.of(key.owner(), key.key()), new Command(key, position));
    }

    public synchronized void forgetAnswers() {
        answers.clear();
    }

    public synchronized void forget() {
        answers.clear();
        accepted.clear();
    }

    @Override
    public synchronized Known find(Idempotency key, Instant now) {
        Answer answer = answers.get(key);
        if (answer != null) {
            return new Known.Answered(answer);
        }
        Command command = accepted.get(List.of(key.owner(), key.key()));
        if (command == null) {
            return new Known.Nothing();
        }
        return command.key().equals(key)
                ? new Known.Done(command.position(), false)
                : new Known.AnotherRequest();
    }

    @Override
    public synchronized boolean storeFirst(Idempotency key, Answer answer, Instant now) {
        boolean isDone = find(key, now) instanceof Known.Done;
        return !(isDone && answer.isError()) && answers.putIfAbsent(key, answer) == null;
    }
}
