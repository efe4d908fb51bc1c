package org.leasehold.gateway.request;

import jakarta.servlet.Filter;

import org.leasehold.gateway.limits.LimitSettings;
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
    EdgeErrors edgeErrors(ObjectProvider<Challenge> challenge) {
        return new EdgeErrors(challenge.getIfAvailable(() -> Challenge.BASIC));
    }

    /** Replaces the error pages of the server, which reports an error once. */
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> serverReports(EdgeErrors errors) {
        return server ->
                server.addContextCustomizers(
                        context ->
                                context.getParent()
                                        .getPipeline()
                                        .addValve(new ServerReports(errors)));
    }

    @Bean
    FilterRegistrationBean<Filter> disconnectFilter() {
        return inOrder(new DisconnectFilter(), Ordered.HIGHEST_PRECEDENCE + 1);
    }

    @Bean
    ServerRequestObservationConvention observedRequests() {
        return new ObservedRequests();
    }

    @Bean
    FilterRegistrationBean<Filter> requestIdFilter() {
        return inOrder(new RequestIdFilter(), Ordered.HIGHEST_PRECEDENCE);
    }

    /** Runs before the access rules, so that they see one path only. */
    @Bean
    FilterRegistrationBean<Filter> jsonSuffixFilter() {
        return inOrder(new JsonSuffixFilter(), Ordered.HIGHEST_PRECEDENCE + 1);
    }

    @Bean
    FilterRegistrationBean<Filter> headerTextFilter() {
        return inOrder(new HeaderTextFilter(), Ordered.HIGHEST_PRECEDENCE + 2);
    }

    /** Runs before any password is checked. */
    @Bean
    FilterRegistrationBean<Filter> crossSiteFilter(EdgeErrors errors) {
        return inOrder(new CrossSiteFilter(errors), Ordered.HIGHEST_PRECEDENCE + 3);
    }

    @Bean
    FilterRegistrationBean<Filter> secretAddressFilter() {
        return inOrder(new SecretAddressFilter(), Ordered.HIGHEST_PRECEDENCE + 5);
    }

    @Bean
    FilterRegistrationBean<Filter> eventFormatFilter() {
        return inOrder(new EventFormatFilter(), Ordered.HIGHEST_PRECEDENCE + 4);
    }

    @Bean
    FilterRegistrationBean<Filter> notModifiedFilter() {
        return inOrder(new NotModifiedFilter(), Ordered.HIGHEST_PRECEDENCE + 6);
    }

    /** Runs after a repeated request has got its first response. */
    @Bean
    WebMvcConfigurer untaggedChanges(EdgeErrors errors) {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new UntaggedChanges(errors)).order(2);
            }
        };
    }

    /** Runs after the access rules, which are Spring Security's filter chain at -100. */
    @Bean
    FilterRegistrationBean<Filter> bodyFilter(LimitSettings limits, EdgeErrors errors) {
        return inOrder(new BodyFilter(limits.bodies(), errors), 0);
    }

    private static FilterRegistrationBean<Filter> inOrder(Filter filter, int order) {
        var registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(order);
        return registration;
    }
}
