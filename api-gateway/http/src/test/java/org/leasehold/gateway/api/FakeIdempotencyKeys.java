package org.leasehold.gateway.api;

import org.leasehold.command.CommandContext;
import org.leasehold.command.CommandContext.Idempotency;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The request for which each key was used. */
public final class FakeIdempotencyKeys {

    private final Map<List<String>, String> requests = new HashMap<>();

    public boolean isReused(CommandContext context) {
        Idempotency key = context.idempotency();
        if (key == null) {
            return false;
        }
        String before = requests.putIfAbsent(List.of(key.owner(), key.key()), key.bodyHash());
        return before != null && !before.equals(key.bodyHash());
    }

    public void forget() {
        requests.clear();
    }
}
