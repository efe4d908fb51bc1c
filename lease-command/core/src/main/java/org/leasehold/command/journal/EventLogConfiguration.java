package org.leasehold.command.journal;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import tools.jackson.databind.json.JsonMapper;

/** The part of the journal that is needed to read it. */
@Configuration(proxyBeanMethods = false)
class EventLogConfiguration {

    /** Excluded from injection by type: the web's own mapper must not become this one by chance. */
    @Bean(defaultCandidate = false)
    @Qualifier("eventMapper")
    JsonMapper eventMapper() {
        return EventJson.mapper();
    }

    /** Creates the reader of the whole log and of single streams. */
    @Bean
    PostgresEventLog eventLog(@Qualifier("eventMapper") JsonMapper json) {
        return new PostgresEventLog(new EventCatalog(), json);
    }
}
