package org.leasehold.query.capacity.projection;

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
        return new CapacitySpanRows();
    }

    @Bean
    DerivedRows capacityMemberRows() {
        return new CapacityMemberRows();
    }

    @Bean
    DerivedRows capacityRefusalRows(DataSource dataSource) {
        return new CapacityRefusalRows(new ResourceKinds(new JdbcTemplate(dataSource)));
    }

    @Bean
    Invariant capacityChangesAreWhatIsBooked() {
        return CapacityInvariants.CHANGES_MATCH_BOOKINGS;
    }

    @Bean
    Invariant firstRequestsHavePools() {
        return CapacityInvariants.FIRST_REQUESTS_HAVE_POOLS;
    }

    @Bean
    Invariant capacityKeepsWhatWasSeen() {
        return CapacityInvariants.OBSERVATIONS_MATCH_EVENTS;
    }

    @Bean
    Invariant capacityIsIdleAsItWasSeen() {
        return CapacityInvariants.IDLE_SPANS_MATCH_OBSERVATIONS;
    }

    @Bean
    Invariant capacityHoursAreTheirChanges() {
        return CapacityInvariants.HOURS_MATCH_CHANGES;
    }
}
