package org.leasehold.command.whatif;

import org.leasehold.history.EventLog;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class WhatIfConfiguration {

    /** Creates the replay; two may run at once, and share half of the memory. */
    @Bean
    EventLogWhatIf whatIf(
            DataSource dataSource, EventLog log, EventLogPositions positions, Plugins plugins) {
        long memory = Runtime.getRuntime().maxMemory() / 4;
        return new EventLogWhatIf(dataSource, log, positions, plugins, memory);
    }
}
