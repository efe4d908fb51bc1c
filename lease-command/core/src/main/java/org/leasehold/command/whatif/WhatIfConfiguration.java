package org.leasehold.command.whatif;

import org.leasehold.history.EventLog;
import org.leasehold.query.Positions;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class WhatIfConfiguration {

    /** Creates the replay; two may run at once, and share half of the memory. */
    @Bean
    StoredPast whatIf(DataSource dataSource, EventLog log, Positions positions, Plugins plugins) {
        long memory = Runtime.getRuntime().maxMemory() / 4;
        return new StoredPast(dataSource, log, positions, plugins, memory);
    }
}
