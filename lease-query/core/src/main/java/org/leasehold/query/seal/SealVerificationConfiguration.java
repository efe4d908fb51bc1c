package org.leasehold.query.seal;

import org.leasehold.history.Inspection;
import org.leasehold.history.Invariant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SealVerificationConfiguration {

    @Bean
    Inspection everyEventIsWhatWasSealed() {
        return new SealInspection();
    }

    @Bean
    Invariant everyStreamStandsOnItsLastSeal() {
        return SealInspection.EVERY_STREAM_STANDS_ON_ITS_LAST_SEAL;
    }

    @Bean
    Inspection everyHeadSaysWhatTheSealsSay() {
        return new HeadInspection();
    }
}
