package org.leasehold.command.whatif;

import org.leasehold.history.EventLog;
import org.leasehold.query.Positions;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class WhatIfConfiguration {

    /** Two are made at once, and have half of the memory. */
    @Bean
    StoredPast whatIf(DataSource dataSource, EventLog log, Positions positions, Plugins plugins) {
        long memory = Runtime.getRuntime().maxMemory() / 4;
        return new StoredPast(dataSource, log, positions, plugins, memory);
    }
}
