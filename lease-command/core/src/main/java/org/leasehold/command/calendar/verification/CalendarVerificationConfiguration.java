package org.leasehold.command.calendar.verification;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.Invariant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class CalendarVerificationConfiguration {

    @Bean
    DerivedRows claimRows() {
        return new ClaimRows();
    }

    @Bean
    DerivedRows holderRows() {
        return new HolderRows();
    }

    @Bean
    Invariant nothingIsPromisedTwice() {
        return ClaimRows.NOTHING_IS_PROMISED_TWICE;
    }

    @Bean
    Invariant noSharesExceedTheirResource() {
        return ClaimRows.NO_SHARES_EXCEED_THEIR_RESOURCE;
    }
}
