package org.leasehold.query.lease;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A PostgreSQL with the read model of leases; each test begins with an empty event log. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LeaseDatabaseFixture {

    final Database database = new Database();
    LeaseEventLog journal;

    @AfterAll
    void stop() {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.empty();
        journal = new LeaseEventLog(database);
    }
}
