package org.leasehold.runtime.node;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.leasehold.publishing.Publication;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The life of the publications, and their gauges. */
@Configuration(proxyBeanMethods = false)
class PublishingConfiguration {

    @Bean
    PublicationLifecycle publicationLifecycle(
            ObjectProvider<Publication> publications, Node node, SagaSettings settings) {
        return new PublicationLifecycle(
                publications.orderedStream().toList(), node, settings.stopWithin());
    }

    /** Registers the gauges. Every node reports the lag; only nodes that tried report a failure. */
    @Bean
    MeterBinder publicationGauges(
            ObjectProvider<Publication> publications, EventLogPositions positions) {
        return registry ->
                publications
                        .orderedStream()
                        .forEach(
                                publication -> {
                                    Gauge.builder(
                                                    "leasehold.publication.lag",
                                                    () -> publication.lag(positions.last()))
                                            .description("Events that are yet to be published")
                                            .tag("publication", publication.name())
                                            .register(registry);
                                    Gauge.builder(
                                                    "leasehold.publication.failing",
                                                    () -> publication.isFailing() ? 1 : 0)
                                            .description(
                                                    "1 if this node has tried to go on, and could"
                                                            + " not")
                                            .tag("publication", publication.name())
                                            .register(registry);
                                });
    }
}
