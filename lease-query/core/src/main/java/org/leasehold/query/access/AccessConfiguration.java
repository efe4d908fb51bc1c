package org.leasehold.query.access;

import org.leasehold.readmodel.audit.PrivilegedReads;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class AccessConfiguration {

    @Bean
    PrivilegedReads privilegedReads(JdbcClient jdbc) {
        return new PostgresPrivilegedReads(jdbc);
    }
}
