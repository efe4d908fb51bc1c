package org.leasehold.saga.schedule;

import org.leasehold.history.DerivedRows;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ScheduleVerificationConfiguration {

    @Bean
    DerivedRows timerRows() {
        return new TimerRows();
    }
}
