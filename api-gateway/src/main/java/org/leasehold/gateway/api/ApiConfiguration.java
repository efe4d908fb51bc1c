package org.leasehold.gateway.api;

import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.completion.Completions;
import org.leasehold.gateway.security.AuthenticationSettings;
import org.leasehold.gateway.security.FilterNames;
import org.leasehold.gateway.security.HiddenProperties;
import org.leasehold.history.Epochs;
import org.leasehold.query.AuditTrail;
import org.leasehold.query.Feed;
import org.leasehold.query.Leases;
import org.leasehold.query.PastInventory;
import org.leasehold.query.Positions;
import org.leasehold.query.Projections;
import org.leasehold.query.Stuck;
import org.leasehold.resource.Plugins;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import tools.jackson.databind.json.JsonMapper;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Beans of the API. The properties are springdoc's; they describe the API, so they are fixed. */
@Configuration(proxyBeanMethods = false)
@PropertySource("classpath:org/leasehold/gateway/api/openapi.properties")
class ApiConfiguration {

    @Bean
    Kinds kinds(Plugins plugins, FilterNames names, Completions completions) {
        return new Kinds(plugins, names, completions);
    }

    @Bean
    CloudWaits cloudWaits(Stuck stuck) {
        return new CloudWaits(stuck);
    }

    @Bean
    KnownEvents knownEvents() {
        return KnownEvents.published();
    }

    @Bean
    AsOf asOf(Positions positions, Projections projections, Clock clock) {
        return new AsOf(positions, projections, clock);
    }

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return new StrictJson();
    }

    @Bean
    GlobalOpenApiCustomizer apiDescription(AuthenticationSettings settings) {
        return new ApiDescription(settings.method());
    }

    @Bean
    EventWaiters eventWaiters(Feed feed, Projections projections) {
        return new EventWaiters(feed, projections);
    }

    @Bean
    EventTelling eventTelling(
            Kinds kinds,
            HiddenProperties hidden,
            GatewaySettings settings,
            ObjectProvider<Epochs> epochs) {
        return new EventTelling(
                kinds, hidden, settings.installation(), epochs.getIfAvailable(() -> Epochs.FIRST));
    }

    @Bean
    AuditTelling auditTelling(AuditTrail trail, EventTelling telling, JsonMapper json) {
        return new AuditTelling(trail, telling, json);
    }

    @Bean
    EventEffects eventEffects(
            Leases leases,
            PastInventory inventory,
            HiddenProperties hidden,
            Kinds kinds,
            JsonMapper json) {
        return new EventEffects(leases, inventory, hidden, kinds, json);
    }

    @Bean
    PublishedEvents publishedEvents(EventTelling telling, JsonMapper json) {
        return new PublishedEvents(telling, json);
    }

    @Bean
    LeaseDocuments leaseDocuments(Kinds kinds, JsonMapper json) {
        return new LeaseDocuments(kinds, json);
    }

    @Bean
    WebMvcConfigurer queries(
            Positions positions, Projections projections, ObjectProvider<Epochs> epochs) {
        return new WebMvcConfigurer() {
            @Override
            public void addFormatters(FormatterRegistry formatters) {
                formatters.addConverter(String.class, Instant.class, Times::instant);
                formatters.addConverter(String.class, Duration.class, Times::duration);
                formatters.addConverter(
                        String.class, LeaseStage.class, word -> LeaseStage.of(word).orElseThrow());
            }

            @Override
            public void addInterceptors(InterceptorRegistry interceptors) {
                interceptors.addInterceptor(new DeclaredTypes()).addPathPatterns("/api/**");
                interceptors.addInterceptor(new QueryRules()).addPathPatterns("/api/**");
                interceptors
                        .addInterceptor(
                                new PositionOfAnswers(
                                        positions,
                                        projections,
                                        epochs.getIfAvailable(() -> Epochs.FIRST)))
                        .addPathPatterns("/api/**");
            }
        };
    }
}
