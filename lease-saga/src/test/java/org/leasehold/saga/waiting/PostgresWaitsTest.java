package org.leasehold.saga.waiting;

import org.leasehold.saga.fakes.Database;
import org.springframework.jdbc.core.JdbcTemplate;

class PostgresWaitsTest extends WaitsContract {

    private final Waits waits = new PostgresWaits(new JdbcTemplate(Database.empty()));

    @Override
    Waits waits() {
        return waits;
    }
}
