package org.leasehold.command.whatif;

import org.leasehold.history.EventLog;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class WhatIfConfiguration {

    /** Two are made at once, and have half of the memory. */
    @Bean
    StoredPast whatIf(DataSource dataSource, EventLog log, Plugins plugins) {
        return new StoredPast(dataSource, log, plugins, Runtime.getRuntime().maxMemory() / 4);
    }
}
