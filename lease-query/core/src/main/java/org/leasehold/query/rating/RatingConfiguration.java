package org.leasehold.query.rating;

import org.leasehold.history.EventStreams;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.readmodel.usage.FocusExport;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import javax.sql.DataSource;

@Configuration(proxyBeanMethods = false)
class RatingConfiguration {

    @Bean
    Charges charges(
            DataSource dataSource,
            EventStreams streams,
            EventLogPositions positions,
            ObjectProvider<PricePlans> plans) {
        return new PostgresCharges(
                new JdbcTemplate(dataSource),
                streams,
                positions,
                plans.getIfAvailable(() -> PricePlans.NONE));
    }

    @Bean
    FocusExport focusExport(Charges charges) {
        return new FocusCsvExport(charges);
    }
}
