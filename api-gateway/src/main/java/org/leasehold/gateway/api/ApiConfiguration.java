package org.leasehold.gateway.api;

import org.leasehold.gateway.completion.Completions;
import org.leasehold.gateway.security.AuthenticationSettings;
import org.leasehold.query.Positions;
import org.leasehold.resource.Plugins;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.time.Duration;
import java.time.Instant;

/** The properties are springdoc's own: they describe this API, so they are no one's to set. */
@Configuration(proxyBeanMethods = false)
@PropertySource("classpath:org/leasehold/gateway/api/openapi.properties")
class ApiConfiguration {

    @Bean
    Kinds kinds(Plugins plugins, Completions completions) {
        return new Kinds(plugins, completions);
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
    WebMvcConfigurer queries(Positions positions) {
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
                interceptors.addInterceptor(new QueryRules()).addPathPatterns("/api/**");
                interceptors
                        .addInterceptor(new PositionOfAnswers(positions))
                        .addPathPatterns("/api/**");
            }
        };
    }
}
