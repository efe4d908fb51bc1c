package org.leasehold.gateway.completion;

import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.time.Duration;

@Configuration(proxyBeanMethods = false)
class CompletionConfiguration {

    /** Less than the time that clients and proxies wait for a response. */
    private static final Duration COMPLETION_TIMEOUT = Duration.ofSeconds(10);

    @Bean
    TimedRequestCompleter completions(Plugins plugins) {
        return new TimedRequestCompleter(plugins, COMPLETION_TIMEOUT);
    }
}
