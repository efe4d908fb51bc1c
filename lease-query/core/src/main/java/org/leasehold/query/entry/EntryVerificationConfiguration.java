package org.leasehold.query.entry;

import org.leasehold.history.Invariant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class EntryVerificationConfiguration {

    @Bean
    Invariant entriesMatchEvents() {
        return EntryRows.ENTRIES_MATCH_EVENTS;
    }

    @Bean
    Invariant everyResourceIsFoundByWhatNamesIt() {
        return EntryRows.RESOURCES_MATCH_EVENTS;
    }
}
