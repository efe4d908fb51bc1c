package org.leasehold.saga.waiting;

import org.leasehold.saga.fakes.Database;
import org.springframework.jdbc.core.JdbcTemplate;

class PostgresWaitingLeasesTest extends WaitingLeasesContract {

    private final WaitingLeases waits =
            new PostgresWaitingLeases(new JdbcTemplate(Database.empty()));

    @Override
    WaitingLeases waits() {
        return waits;
    }
}
