package org.leasehold.command.journal;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import tools.jackson.databind.json.JsonMapper;

/** As much of the journal as is needed to read it. */
@Configuration(proxyBeanMethods = false)
class EventLogConfiguration {

    /** Not a candidate by type: the web's own mapper must not become this one by chance. */
    @Bean(defaultCandidate = false)
    @Qualifier("eventMapper")
    JsonMapper eventMapper() {
        return EventJson.mapper();
    }

    /** The whole of it, and one stream. */
    @Bean
    PostgresEventLog eventLog(@Qualifier("eventMapper") JsonMapper json) {
        return new PostgresEventLog(new EventCatalog(), json);
    }
}
