package org.leasehold.query.seal;

import org.leasehold.history.ConsistencyCheck;
import org.leasehold.history.Invariant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SealVerificationConfiguration {

    @Bean
    ConsistencyCheck everyEventIsWhatWasSealed() {
        return new SealInspection();
    }

    @Bean
    Invariant streamsMatchLastSeals() {
        return SealInspection.STREAMS_MATCH_LAST_SEALS;
    }

    @Bean
    ConsistencyCheck everyHeadSaysWhatTheSealsSay() {
        return new HeadInspection();
    }
}
