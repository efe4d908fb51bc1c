package org.leasehold.runtime.node;

import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.EventProcessor;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.springframework.scheduling.annotation.Scheduled;

import java.util.concurrent.TimeUnit;

/**
 * Wakes event processors when the database is back. By default, they retry after a pause that
 * doubles with each failure, up to a minute, and leases would start that late.
 */
final class EventProcessorRecovery {

    private final EventProcessingConfiguration processing;
    private final TokenStore tokens;

    EventProcessorRecovery(EventProcessingConfiguration processing, TokenStore tokens) {
        this.processing = processing;
        this.tokens = tokens;
    }

    @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.SECONDS)
    void wake() {
        for (EventProcessor processor : processing.eventProcessors().values()) {
            if (processor instanceof StreamingEventProcessor streaming && streaming.isError()) {
                wake(streaming);
            }
        }
    }

    /** Fails while the database is still away; the next call retries it. */
    private void wake(StreamingEventProcessor processor) {
        for (int segment : tokens.fetchSegments(processor.getName())) {
            // The result does not matter: the attempt itself ends the pause.
            var _ = processor.claimSegment(segment);
        }
    }
}
