package org.leasehold.runtime;

import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.EventProcessor;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.springframework.scheduling.annotation.Scheduled;

import java.util.concurrent.TimeUnit;

/**
 * Has event processors go on as soon as the database is back. Left alone, they look after a pause
 * that doubles with each failure, up to a minute: leases would start late by as much.
 */
final class Recovery {

    private final EventProcessingConfiguration processing;
    private final TokenStore tokens;

    Recovery(EventProcessingConfiguration processing, TokenStore tokens) {
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

    /** Fails while the database is still away, and is called again. */
    private void wake(StreamingEventProcessor processor) {
        for (int segment : tokens.fetchSegments(processor.getName())) {
            // Whatever comes of it: to be asked is what ends the pause.
            var _ = processor.claimSegment(segment);
        }
    }
}
