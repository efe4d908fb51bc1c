package org.leasehold.query.lease;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.Invariant;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class LeaseVerificationConfiguration {

    @Bean
    DerivedRows leaseRows(@Qualifier("eventMapper") JsonMapper json) {
        return new LeaseRows(json);
    }

    @Bean
    Invariant leaseCountInvariant() {
        return LeaseCountRows.COUNTS_MATCH_UNFINISHED_LEASES;
    }
}
