package org.leasehold.saga.retry;

import org.leasehold.saga.fakes.Database;
import org.springframework.jdbc.core.JdbcTemplate;

class PostgresRetriedRequestsTest extends RetriedRequestsContract {

    private final RetriedRequests requests =
            new PostgresRetriedRequests(new JdbcTemplate(Database.empty()));

    @Override
    RetriedRequests requests() {
        return requests;
    }
}
