package org.leasehold.query.audit;

import org.leasehold.history.Invariant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AuditVerificationConfiguration {

    @Bean
    Invariant everyEventIsFoundByWhatItIsAbout() {
        return AuditSubjectRows.EVERY_EVENT_IS_FOUND_BY_WHAT_IT_IS_ABOUT;
    }
}
