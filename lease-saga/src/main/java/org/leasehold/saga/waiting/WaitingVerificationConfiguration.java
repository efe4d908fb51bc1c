package org.leasehold.saga.waiting;

import org.leasehold.history.DerivedRows;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class WaitingVerificationConfiguration {

    @Bean
    DerivedRows waitingRows() {
        return new WaitingRows();
    }
}
