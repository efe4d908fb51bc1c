package org.leasehold.query.booking;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.Invariant;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class BookingVerificationConfiguration {

    @Bean
    DerivedRows bookingRows() {
        return new BookingRows();
    }

    @Bean
    Invariant bookingKindsMatchResources() {
        return BookingRows.BOOKING_KINDS_MATCH_RESOURCES;
    }

    @Bean
    Invariant everyUseIsAsItWasSeen() {
        return BookingRows.OBSERVED_USES_MATCH_EVENTS;
    }
}
