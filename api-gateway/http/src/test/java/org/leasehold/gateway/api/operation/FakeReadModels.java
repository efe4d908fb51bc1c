package org.leasehold.gateway.api.operation;

import org.leasehold.readmodel.operation.ReadModels;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Read models that are rebuilt at once, unless a test makes them slow. */
public final class FakeReadModels implements ReadModels {

    private static final Instant WHEN = Instant.parse("2026-11-21T00:33:00Z");

    private final Map<String, State> states = new TreeMap<>();
    private boolean busy;

    public FakeReadModels() {
        reset();
    }

    void reset() {
        states.putAll(Map.of("leases", State.SERVED, "resources", State.SERVED));
        busy = false;
    }

    void isBusy() {
        busy = true;
    }

    @Override
    public List<ReadModel> list() {
        return states.entrySet().stream()
                .map(
                        state ->
                                state.getValue() == State.SERVED
                                        ? new ReadModel(
                                                state.getKey(),
                                                State.SERVED,
                                                0,
                                                7,
                                                null,
                                                null,
                                                null)
                                        : new ReadModel(
                                                state.getKey(),
                                                state.getValue(),
                                                7,
                                                7,
                                                WHEN,
                                                WHEN,
                                                null))
                .toList();
    }

    @Override
    public boolean rebuild(Set<String> names) {
        if (busy) {
            return false;
        }
        names.forEach(name -> states.replace(name, State.REBUILT));
        return true;
    }
}
