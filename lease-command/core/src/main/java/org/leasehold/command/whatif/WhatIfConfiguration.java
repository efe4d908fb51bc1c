package org.leasehold.command.whatif;

import org.leasehold.history.EventLog;
import org.leasehold.resource.Plugins;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class WhatIfConfiguration {

    @Bean
    StoredPast whatIf(DataSource dataSource, EventLog log, Plugins plugins) {
        return new StoredPast(dataSource, log, plugins);
    }
}
