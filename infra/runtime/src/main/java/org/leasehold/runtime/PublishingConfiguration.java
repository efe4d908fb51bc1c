package org.leasehold.runtime;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.leasehold.gateway.api.LeaseDocuments;
import org.leasehold.gateway.api.PublishedEvents;
import org.leasehold.gateway.v1.PublishedLeases;
import org.leasehold.publishing.EventForm;
import org.leasehold.publishing.FeedForm;
import org.leasehold.publishing.LeaseDocument;
import org.leasehold.publishing.LeaseForm;
import org.leasehold.publishing.Publication;
import org.leasehold.query.Feed.Entry;
import org.leasehold.query.Positions;
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
    EventForm eventForm(PublishedEvents events) {
        return new EventForm() {
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
    FeedForm feedForm(PublishedEvents events) {
        return new FeedForm() {
            @Override
            public Function<Entry, byte[]> toProjects() {
                return events.asToldToProjects();
            }

            @Override
            public Function<Entry, byte[]> toOperators() {
                return events.asToldToOperators();
            }
        };
    }

    @Bean
    LeaseForm leaseForm(PublishedLeases leases) {
        return leases::fields;
    }

    @Bean
    LeaseDocument leaseDocument(LeaseDocuments leases) {
        return leases::of;
    }

    @Bean
    PublicationLifecycle publicationLifecycle(
            ObjectProvider<Publication> publications, Node node, SagaSettings settings) {
        return new PublicationLifecycle(
                publications.orderedStream().toList(), node, settings.stopWithin());
    }

    /** Registers the gauges. Every node reports the lag; only nodes that tried report a failure. */
    @Bean
    MeterBinder publicationGauges(ObjectProvider<Publication> publications, Positions positions) {
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
