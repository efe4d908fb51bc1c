package org.leasehold.command.lease;

import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class LeaseConfiguration {

    @Bean
    LeaseDecider leaseDecider(Plugins plugins) {
        return new LeaseDecider(plugins);
    }
}
