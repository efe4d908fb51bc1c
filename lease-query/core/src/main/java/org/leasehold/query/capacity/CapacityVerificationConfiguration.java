package org.leasehold.query.capacity;

import org.leasehold.history.DerivedRows;
import org.leasehold.history.Invariant;
import org.leasehold.query.account.ResourceKinds;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class CapacityVerificationConfiguration {

    @Bean
    DerivedRows capacitySpanRows() {
        return new SpanRows();
    }

    @Bean
    DerivedRows capacityMemberRows() {
        return new MemberRows();
    }

    @Bean
    DerivedRows capacityRefusalRows(DataSource dataSource) {
        return new RefusalRows(new ResourceKinds(new JdbcTemplate(dataSource)));
    }

    @Bean
    Invariant capacityChangesAreWhatIsBooked() {
        return CapacityInvariants.CHANGES_ARE_WHAT_IS_BOOKED;
    }

    @Bean
    Invariant capacityTellsTheFirstWishesApart() {
        return CapacityInvariants.THE_FIRST_WISHES_ARE_TOLD_APART;
    }

    @Bean
    Invariant capacityKeepsWhatWasSeen() {
        return CapacityInvariants.LOOKS_ARE_AS_THE_EVENTS_HAVE_THEM;
    }

    @Bean
    Invariant capacityIsIdleAsItWasSeen() {
        return CapacityInvariants.IDLE_IS_WHAT_WAS_SEEN_TO_BE;
    }

    @Bean
    Invariant capacityHoursAreTheirChanges() {
        return CapacityInvariants.HOURS_ARE_THEIR_CHANGES;
    }
}
