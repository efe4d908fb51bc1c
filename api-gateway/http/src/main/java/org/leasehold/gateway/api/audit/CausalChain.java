package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.audit.AuditResponses.AuditEvent;
import org.leasehold.gateway.api.audit.AuditResponses.Call;
import org.leasehold.gateway.api.audit.AuditResponses.ChainStep;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Orders the events and calls of one request by their causes: each event is followed by the calls
 * of plug-ins that it caused, and then by the events that it caused, each with its own effects.
 */
final class CausalChain {

    private final Map<String, List<Call>> calls = new HashMap<>();
    private final Map<String, List<AuditEvent>> events = new HashMap<>();
    private final List<ChainStep> steps = new ArrayList<>();
    private final Deque<Pending> pending = new ArrayDeque<>();

    private CausalChain() {}

    /** An event to be processed, as a step. */
    private record Pending(AuditEvent event, int depth, @Nullable Long becauseOf) {}

    /**
     * Returns the steps.
     *
     * @param events oldest first
     * @param calls oldest first; a call of an event that is not among them comes last
     */
    static List<ChainStep> of(List<AuditEvent> events, List<Call> calls) {
        return new CausalChain().order(events, calls);
    }

    private List<ChainStep> order(List<AuditEvent> all, List<Call> asked) {
        asked.forEach(call -> addToList(calls, call.causation(), call));
        Map<String, Long> known = new HashMap<>();
        List<AuditEvent> first = new ArrayList<>();
        for (AuditEvent event : all) {
            String cause = event.causation();
            // A cause is always before its effect, so there are no cycles.
            if (cause != null && known.containsKey(cause)) {
                addToList(events, cause, event);
            } else {
                first.add(event);
            }
            known.put(event.eventId().toString(), event.position());
        }
        pushPending(first, 0, null);
        while (!pending.isEmpty()) {
            addStep(pending.pop());
        }
        asked.stream()
                .filter(call -> !known.containsKey(call.causation()))
                .forEach(call -> steps.add(new ChainStep(0, null, null, call)));
        return steps;
    }

    private void addStep(Pending step) {
        AuditEvent event = step.event();
        String id = event.eventId().toString();
        int deeper = step.depth() + 1;
        steps.add(new ChainStep(step.depth(), step.becauseOf(), event, null));
        calls.getOrDefault(id, List.of())
                .forEach(call -> steps.add(new ChainStep(deeper, event.position(), null, call)));
        pushPending(events.getOrDefault(id, List.of()), deeper, event.position());
    }

    private void pushPending(List<AuditEvent> these, int depth, @Nullable Long becauseOf) {
        these.reversed().forEach(event -> pending.push(new Pending(event, depth, becauseOf)));
    }

    private static <T> void addToList(Map<String, List<T>> lists, String key, T item) {
        lists.computeIfAbsent(key, _ -> new ArrayList<>()).add(item);
    }
}
