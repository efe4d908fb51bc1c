package org.leasehold.saga.retry;

import org.axonframework.eventhandling.EventMessage;
import org.leasehold.lease.LeaseEvent.LeaseRetryScheduled;
import org.leasehold.saga.Cause;
import org.leasehold.saga.retry.RetriedRequests.Waiting;
import org.leasehold.vocabulary.LeaseId;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The registration of refused attempts, in the transaction that stores them. A saga could register
 * them too late for capacity that is freed a moment later.
 */
public record RetryRegistration(RetriedRequests requests)
        implements Consumer<List<? extends EventMessage<?>>> {

    @Override
    public void accept(List<? extends EventMessage<?>> events) {
        Map<LeaseId, Waiting> refused = new LinkedHashMap<>();
        for (EventMessage<?> message : events) {
            if (message.getPayload() instanceof LeaseRetryScheduled event
                    && event.plan().hasEarlyLeft()) {
                refused.put(event.leaseId(), waiting(event, Cause.of(message)));
            }
        }
        if (!refused.isEmpty()) {
            requests.await(List.copyOf(refused.values()));
        }
    }

    private static Waiting waiting(LeaseRetryScheduled event, Cause cause) {
        return new Waiting(
                event.leaseId(),
                event.shortages().stream()
                        .map(shortage -> shortage.kind().value())
                        .distinct()
                        .sorted()
                        .toList(),
                event.period(),
                event.plan().nextAttempt(),
                event.plan().earlyFrom(),
                cause);
    }
}
