package org.leasehold.gateway.v1;

import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.completion.Completions;
import org.leasehold.gateway.security.FilterNames;
import org.leasehold.query.Leases;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.time.Duration;

@Configuration(proxyBeanMethods = false)
class V1Configuration {

    @Bean
    LeaseRequests leaseRequests(
            GatewaySettings settings,
            Completions completions,
            FilterNames names,
            LeaseRendering rendering) {
        return new LeaseRequests(
                Duration.ofMinutes(settings.minutesBeforeEndLease()),
                completions,
                names,
                rendering);
    }

    @Bean
    LeaseRendering leaseRendering(Plugins plugins) {
        return new LeaseRendering(plugins);
    }

    @Bean
    IdsOfStart idsOfStart(Leases leases, Plugins plugins, GatewaySettings settings) {
        return new IdsOfStart(leases, plugins, settings.waitForIds());
    }

    @Bean
    PublishedLeases publishedLeases(LeaseRendering rendering) {
        return new PublishedLeases(rendering);
    }

    @Bean
    WebMvcConfigurer microversion() {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new Microversion())
                        .addPathPatterns("/", "/versions", "/v1/**");
            }
        };
    }
}
