package org.leasehold.saga.reaction;

import org.axonframework.config.Configurer;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.config.EventProcessingConfigurer;
import org.axonframework.eventhandling.PropagatingErrorHandler;
import org.axonframework.eventhandling.pooled.PooledStreamingEventProcessor;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.modelling.saga.repository.SagaStore;
import org.leasehold.saga.node.NodeRegistry;

import java.time.Duration;

/** The event processors that drive the sagas. */
public final class SagaProcessors implements ConfigurerModule {

    /** Sagas without state. */
    public static final String STATELESS = "processes";

    /** The saga of resources in the cloud's pool. */
    public static final String INVENTORY = "inventory";

    /** More than there are nodes, so that each gets some. More nodes than that only stand by. */
    private static final int SEGMENT_COUNT = 4;

    private static final int BATCH_SIZE = 100;

    /** The time after which another node claims a released segment. */
    private static final Duration CLAIM_INTERVAL = Duration.ofSeconds(1);

    private final SagaStore<Object> sagaStore;
    private final NodeRegistry nodes;

    SagaProcessors(SagaStore<Object> sagaStore, NodeRegistry nodes) {
        this.sagaStore = sagaStore;
        this.nodes = nodes;
    }

    @Override
    public void configureModule(Configurer configurer) {
        EventProcessingConfigurer processing = configurer.eventProcessing();
        processing.registerSagaStore(_ -> sagaStore);
        for (String name : new String[] {STATELESS, INVENTORY}) {
            processing.registerPooledStreamingEventProcessor(name);
            processing.registerPooledStreamingEventProcessorConfiguration(
                    name, (_, processor) -> withNodeShare(name, fromFirstEvent(processor)));
            // The default logs a failure and continues with the next event: a lease would never
            // start.
            processing.registerListenerInvocationErrorHandler(
                    name, _ -> PropagatingErrorHandler.instance());
        }
    }

    /** Releases the segments beyond the node's share. */
    private PooledStreamingEventProcessor.Builder withNodeShare(
            String name, PooledStreamingEventProcessor.Builder processor) {
        return processor
                .maxSegmentProvider(_ -> nodes.segmentShare(name, SEGMENT_COUNT))
                .tokenClaimInterval(CLAIM_INTERVAL.toMillis());
    }

    /** Reads all events, but not as a replay, which sagas ignore: leases from before it count. */
    private static PooledStreamingEventProcessor.Builder fromFirstEvent(
            PooledStreamingEventProcessor.Builder processor) {
        return processor
                .initialToken(StreamableMessageSource::createTailToken)
                .initialSegmentCount(SEGMENT_COUNT)
                .batchSize(BATCH_SIZE);
    }
}
