package org.leasehold.gateway.request;

import jakarta.servlet.Filter;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.server.observation.ServerRequestObservationConvention;

@Configuration(proxyBeanMethods = false)
class RequestConfiguration {

    @Bean
    EdgeErrors edgeErrors(ObjectProvider<Challenge> challenge) {
        return new EdgeErrors(challenge.getIfAvailable(() -> Challenge.BASIC));
    }

    @Bean
    ServerRequestObservationConvention secretPaths() {
        return new SecretPaths();
    }

    @Bean
    FilterRegistrationBean<Filter> requestIdFilter() {
        return inOrder(new RequestIdFilter(), Ordered.HIGHEST_PRECEDENCE);
    }

    /** Before the access rules, so that they see one path only. */
    @Bean
    FilterRegistrationBean<Filter> jsonSuffixFilter() {
        return inOrder(new JsonSuffixFilter(), Ordered.HIGHEST_PRECEDENCE + 1);
    }

    /** After the access rules, which are Spring Security's filter chain at -100. */
    @Bean
    FilterRegistrationBean<Filter> bodyFilter(EdgeErrors errors) {
        return inOrder(new BodyFilter(errors), 0);
    }

    private static FilterRegistrationBean<Filter> inOrder(Filter filter, int order) {
        var registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(order);
        return registration;
    }
}
