package org.leasehold.gateway.api.page;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

@Configuration(proxyBeanMethods = false)
class PageConfiguration {

    /** Runs after the request has its id, and before the access rules. */
    @Bean
    FilterRegistrationBean<WelcomePageFilter> welcomePageFilter() {
        var registration = new FilterRegistrationBean<>(new WelcomePageFilter());
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 7);
        return registration;
    }
}
