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
    Invariant everyBookingHasItsResourcesKind() {
        return BookingRows.EVERY_BOOKING_HAS_ITS_RESOURCES_KIND;
    }

    @Bean
    Invariant everyUseIsAsItWasSeen() {
        return BookingRows.EVERY_USE_IS_AS_IT_WAS_SEEN;
    }
}
