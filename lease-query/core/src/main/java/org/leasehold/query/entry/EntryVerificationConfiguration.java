package org.leasehold.query.entry;

import org.leasehold.history.Invariant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class EntryVerificationConfiguration {

    @Bean
    Invariant everyEventHasItsEntry() {
        return EntryRows.EVERY_EVENT_HAS_ITS_ENTRY;
    }

    @Bean
    Invariant everyResourceIsFoundByWhatNamesIt() {
        return EntryRows.EVERY_RESOURCE_IS_FOUND_BY_WHAT_NAMES_IT;
    }
}
