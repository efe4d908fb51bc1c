package org.leasehold.saga.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.NOON;
import static org.leasehold.saga.fakes.Samples.RESERVATION;
import static org.leasehold.saga.fakes.Samples.lease;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.saga.Cause;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.scheduler.StoredJson;
import org.leasehold.saga.timer.TimerTable.Taken;
import org.leasehold.testdatabase.TestDatabase;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** A test with data of an engine whose waiting leases were sagas. */
class WaitingLeasesMigrationTest {

    private static final UUID EVENT = new UUID(9, 9);

    @Test
    void the_migration_keeps_waiting_leases_and_retries_them_at_once() {
        try (TestDatabase database =
                Database.upgraded(
                        "V23__who_waits.sql",
                        before -> {
                            record(before, LEASE, 3, "LeaseDelayed");
                            record(before, lease(2), 3, "LeaseDelayed");
                            record(before, lease(2), 4, "LeaseStarting");
                            before.execute(
                                    """
                                    INSERT INTO saga_entry VALUES
                                        ('1', null, 'org.leasehold.saga.activation.WaitingSaga', ''),
                                        ('2', null, 'org.leasehold.saga.inventory.InventorySaga', '');
                                    INSERT INTO token_entry (processor_name, segment)
                                    VALUES ('waiting', 0), ('inventory', 0)
                                    """);
                        })) {
            assertUpgraded(new JdbcTemplate(database.dataSource()));
        }
    }

    private static void assertUpgraded(JdbcTemplate jdbc) {
        assertThat(jdbc.queryForList("SELECT lease_id, reservation_id FROM waiting"))
                .containsExactly(
                        Map.of("lease_id", LEASE.value(), "reservation_id", RESERVATION.value()));
        TimerTable timers = new PostgresTimerTable(jdbc, new StoredJson(LeaseCommand.class));
        assertThat(timers.takeDue(Instant.now(), 10))
                .extracting(Taken::timer)
                .containsExactly(
                        new Timer(
                                "start:" + LEASE,
                                NOON,
                                new LeaseCommand.StartLease(LEASE),
                                new Cause(EVENT.toString(), "req-7", NOON)));
        assertThat(jdbc.queryForList("SELECT saga_id FROM saga_entry", String.class))
                .containsExactly("2");
        assertThat(jdbc.queryForList("SELECT processor_name FROM token_entry", String.class))
                .containsExactly("inventory");
    }

    private static void record(JdbcTemplate jdbc, LeaseId lease, long sequence, String type) {
        jdbc.update(
                """
                INSERT INTO domain_event
                VALUES (?, ?, ?, ?, jsonb_build_object('awaited', jsonb_build_array(?)),
                        '{"requestId": "req-7"}', ?::timestamptz)
                """,
                EVENT,
                lease.toString(),
                sequence,
                type,
                RESERVATION.toString(),
                NOON.toString());
    }
}
