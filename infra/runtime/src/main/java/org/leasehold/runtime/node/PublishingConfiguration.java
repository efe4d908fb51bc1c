package org.leasehold.runtime.node;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.leasehold.gateway.api.event.EventDocuments;
import org.leasehold.gateway.api.lease.OperatorLeaseDocuments;
import org.leasehold.gateway.v1.lease.BlazarLeaseDocuments;
import org.leasehold.publishing.BlazarLeaseFormat;
import org.leasehold.publishing.EventFormat;
import org.leasehold.publishing.FeedFormat;
import org.leasehold.publishing.OperatorLeaseFormat;
import org.leasehold.publishing.Publication;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.saga.SagaSettings;
import org.leasehold.saga.node.Node;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.function.Function;

/** The form of published events, which is that of the HTTP API. */
@Configuration(proxyBeanMethods = false)
class PublishingConfiguration {

    @Bean
    EventFormat eventForm(EventDocuments events) {
        return new EventFormat() {
            @Override
            public String installation() {
                return events.installation();
            }

            @Override
            public String source(long position) {
                return events.source(position);
            }

            @Override
            public byte[] data(Entry entry) {
                return events.data(entry);
            }
        };
    }

    @Bean
    FeedFormat feedForm(EventDocuments events) {
        return new FeedFormat() {
            @Override
            public Function<Entry, byte[]> projectFormat() {
                return events.serializerForProjects();
            }

            @Override
            public Function<Entry, byte[]> operatorFormat() {
                return events.serializerForOperators();
            }
        };
    }

    @Bean
    BlazarLeaseFormat leaseForm(BlazarLeaseDocuments leases) {
        return leases::fields;
    }

    @Bean
    OperatorLeaseFormat leaseDocument(OperatorLeaseDocuments leases) {
        return leases::serialize;
    }

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
