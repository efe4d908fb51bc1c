package org.leasehold.gateway.request;

import jakarta.servlet.Filter;

import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.gateway.request.error.Challenge;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.gateway.request.header.HeaderDecodingFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.core.Ordered;
import org.springframework.http.server.observation.ServerRequestObservationConvention;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Filters, and properties of the framework that no operator may set: how bodies are read. */
@Configuration(proxyBeanMethods = false)
@PropertySource("classpath:org/leasehold/gateway/request/http.properties")
class RequestConfiguration {

    @Bean
    ErrorResponseWriter edgeErrors(ObjectProvider<Challenge> challenge) {
        return new ErrorResponseWriter(challenge.getIfAvailable(() -> Challenge.BASIC));
    }

    /** Replaces the error pages of the server, which reports an error once. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> serverReports(
            ErrorResponseWriter errors) {
        return server ->
                server.addContextCustomizers(
                        context ->
                                context.getParent()
                                        .getPipeline()
                                        .addValve(new ServerErrorValve(errors)));
    }

    @Bean
    FilterRegistrationBean<Filter> disconnectFilter() {
        return registerFilter(new DisconnectFilter(), Ordered.HIGHEST_PRECEDENCE + 1);
    }

    @Bean
    ServerRequestObservationConvention observedRequests() {
        return new RequestObservationConvention();
    }

    @Bean
    FilterRegistrationBean<Filter> requestIdFilter() {
        return registerFilter(new RequestIdFilter(), Ordered.HIGHEST_PRECEDENCE);
    }

    /** Runs before the access rules, so that they see one path only. */
    @Bean
    FilterRegistrationBean<Filter> jsonSuffixFilter() {
        return registerFilter(new JsonSuffixFilter(), Ordered.HIGHEST_PRECEDENCE + 1);
    }

    @Bean
    FilterRegistrationBean<Filter> headerTextFilter() {
        return registerFilter(new HeaderDecodingFilter(), Ordered.HIGHEST_PRECEDENCE + 2);
    }

    /** Runs before any password is checked. */
    @Bean
    FilterRegistrationBean<Filter> crossSiteFilter(ErrorResponseWriter errors) {
        return registerFilter(new CrossSiteFilter(errors), Ordered.HIGHEST_PRECEDENCE + 3);
    }

    @Bean
    FilterRegistrationBean<Filter> secretAddressFilter() {
        return registerFilter(new CredentialRemovalFilter(), Ordered.HIGHEST_PRECEDENCE + 5);
    }

    @Bean
    FilterRegistrationBean<Filter> eventFormatFilter() {
        return registerFilter(new EventFormatFilter(), Ordered.HIGHEST_PRECEDENCE + 4);
    }

    @Bean
    FilterRegistrationBean<Filter> notModifiedFilter() {
        return registerFilter(new NotModifiedFilter(), Ordered.HIGHEST_PRECEDENCE + 6);
    }

    /** Runs after a repeated request has got its first response. */
    @Bean
    WebMvcConfigurer untaggedChanges(ErrorResponseWriter errors) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new PreconditionInterceptor(errors)).order(2);
            }
        };
    }

    /** Runs after the access rules, which are Spring Security's filter chain at -100. */
    @Bean
    FilterRegistrationBean<Filter> bodyFilter(LimitSettings limits, ErrorResponseWriter errors) {
        return registerFilter(new BodyFilter(limits.bodies(), errors), 0);
    }

    private static FilterRegistrationBean<Filter> registerFilter(Filter filter, int order) {
        var registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(order);
        return registration;
    }
}
