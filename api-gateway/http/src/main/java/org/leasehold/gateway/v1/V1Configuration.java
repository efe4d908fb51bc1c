package org.leasehold.gateway.v1;

import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.completion.TimedRequestCompleter;
import org.leasehold.gateway.security.FilterPropertyValidator;
import org.leasehold.gateway.v1.lease.CloudIdWait;
import org.leasehold.gateway.v1.lease.LeaseRequestParser;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.Plugins;
import org.leasehold.wire.blazar.LeaseRendering;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.time.Duration;

@Configuration(proxyBeanMethods = false)
class V1Configuration {

    @Bean
    LeaseRequestParser leaseRequests(
            GatewaySettings settings,
            TimedRequestCompleter completions,
            FilterPropertyValidator names,
            LeaseRendering rendering) {
        return new LeaseRequestParser(
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
    CloudIdWait idsOfStart(Leases leases, Plugins plugins, GatewaySettings settings) {
        return new CloudIdWait(leases, plugins, settings.waitForIds());
    }

    @Bean
    WebMvcConfigurer microversion() {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new MicroversionInterceptor())
                        .addPathPatterns("/", "/versions", "/v1/**");
            }
        };
    }
}
