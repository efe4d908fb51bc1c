package org.leasehold.gateway.api;

import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.NodeRoles;
import org.leasehold.gateway.api.audit.AuditRedaction;
import org.leasehold.gateway.api.audit.EventDiffs;
import org.leasehold.gateway.api.event.EventTypeNames;
import org.leasehold.gateway.api.event.EventWaiters;
import org.leasehold.gateway.api.event.ReachedPositionCheck;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.lease.CloudWaitExplanation;
import org.leasehold.gateway.api.lease.LeaseSort;
import org.leasehold.gateway.api.query.AsOfResolver;
import org.leasehold.gateway.api.query.ResponsePositionInterceptor;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.api.usage.ChargeGrouping;
import org.leasehold.gateway.completion.TimedRequestCompleter;
import org.leasehold.gateway.security.AuthenticationSettings;
import org.leasehold.gateway.security.FilterPropertyValidator;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.history.Epochs;
import org.leasehold.readmodel.audit.AuditTrail;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.label.Labels;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.readmodel.operation.StuckActionQuery;
import org.leasehold.readmodel.resource.PastInventory;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Plugins;
import org.leasehold.wire.event.EventDocuments;
import org.leasehold.wire.event.EventRedaction;
import org.leasehold.wire.lease.OperatorLeaseDocuments;
import org.leasehold.wire.lease.PluginRendering;
import org.springdoc.core.customizers.DelegatingMethodParameterCustomizer;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import tools.jackson.databind.json.JsonMapper;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Beans of the API. The properties are springdoc's; they describe the API, so they are fixed. */
@Configuration(proxyBeanMethods = false)
@PropertySource("classpath:org/leasehold/gateway/api/openapi.properties")
class ApiConfiguration {

    @Bean
    PluginFacade kinds(
            Plugins plugins, FilterPropertyValidator names, TimedRequestCompleter completions) {
        return new PluginFacade(plugins, names, completions);
    }

    @Bean
    PluginRendering pluginRendering(Plugins plugins) {
        return new PluginRendering(plugins);
    }

    @Bean
    CloudWaitExplanation cloudWaits(StuckActionQuery stuck) {
        return new CloudWaitExplanation(stuck);
    }

    @Bean
    EventTypeNames knownEvents() {
        return EventTypeNames.loadPublished();
    }

    @Bean
    AsOfResolver asOf(EventLogPositions positions, ProjectionOffsets projections, Clock clock) {
        return new AsOfResolver(positions, projections, clock);
    }

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return new StrictJson();
    }

    @Bean
    GlobalOpenApiCustomizer apiDescription(AuthenticationSettings settings, Plugins plugins) {
        return new OpenApiSchemaCustomizer(settings.method(), plugins);
    }

    @Bean
    DelegatingMethodParameterCustomizer queryObjects() {
        return new QueryObjectCustomizer();
    }

    @Bean
    EventWaiters eventWaiters(EventFeed feed, ProjectionOffsets projections) {
        return new EventWaiters(feed, projections);
    }

    @Bean
    ReachedPositionCheck reachedPositions(
            EventLogPositions positions,
            ProjectionOffsets projections,
            ObjectProvider<Epochs> epochs,
            ObjectProvider<NodeRoles> roles) {
        return new ReachedPositionCheck(
                positions,
                projections,
                epochs.getIfAvailable(() -> Epochs.FIRST),
                roles.getIfAvailable(() -> NodeRoles.ALL));
    }

    @Bean
    EventRedaction eventRedaction(
            PluginRendering plugins,
            Resources resources,
            GatewaySettings settings,
            ObjectProvider<Epochs> epochs) {
        return new EventRedaction(
                plugins,
                resources::hiddenProperties,
                settings.installation(),
                epochs.getIfAvailable(() -> Epochs.FIRST));
    }

    @Bean
    AuditRedaction auditRedaction(
            AuditTrail trail, EventRedaction redaction, Labels labels, JsonMapper json) {
        return new AuditRedaction(trail, redaction, labels, json);
    }

    @Bean
    EventDiffs eventEffects(
            Leases leases,
            PastInventory inventory,
            PropertyRedaction hidden,
            PluginRendering plugins,
            JsonMapper json) {
        return new EventDiffs(leases, inventory, hidden, plugins, json);
    }

    @Bean
    EventDocuments publishedEvents(EventRedaction redaction, JsonMapper json) {
        return new EventDocuments(redaction, json);
    }

    @Bean
    OperatorLeaseDocuments leaseDocuments(PluginRendering plugins, JsonMapper json) {
        return new OperatorLeaseDocuments(plugins, json);
    }

    @Bean
    WebMvcConfigurer queries(
            EventLogPositions positions,
            ProjectionOffsets projections,
            ObjectProvider<Epochs> epochs) {
        return new WebMvcConfigurer() {
            @Override
            public void addFormatters(FormatterRegistry formatters) {
                formatters.addConverter(String.class, Instant.class, TimeParser::parseInstant);
                formatters.addConverter(String.class, Duration.class, TimeParser::parseDuration);
                formatters.addConverter(
                        String.class, LeaseSort.class, word -> LeaseSort.of(word).orElseThrow());
                formatters.addConverter(
                        String.class,
                        ChargeGrouping.class,
                        word -> ChargeGrouping.of(word).orElseThrow());
            }

            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new QueryObjectResolver());
            }

            @Override
            public void addInterceptors(InterceptorRegistry interceptors) {
                interceptors
                        .addInterceptor(new ContentTypeInterceptor())
                        .addPathPatterns("/api/**");
                interceptors
                        .addInterceptor(new QueryParameterInterceptor())
                        .addPathPatterns("/api/**");
                interceptors
                        .addInterceptor(
                                new ResponsePositionInterceptor(
                                        positions,
                                        projections,
                                        epochs.getIfAvailable(() -> Epochs.FIRST)))
                        .addPathPatterns("/api/**");
            }
        };
    }
}
