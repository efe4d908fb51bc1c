package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.DenialLog;
import org.leasehold.command.DenialLog.Why;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseRejection.LeaseNotFound;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The rejected commands that auditors see. */
class DeniedAttemptsTest extends JournalFixture {

    @Test
    void a_rejected_command_of_a_caller_is_audited_and_stores_no_event() {
        assertThat(send(rename("b"))).isEqualTo(new Rejected<>(new LeaseNotFound(lease)));
        assertThat(events(lease)).isEmpty();
        assertThat(
                        database.jdbc()
                                .sql(
                                        """
                                        SELECT command, rejection ->> 'type' AS rejection,
                                            metadata ->> 'user' AS user
                                        FROM denied_attempt WHERE target = ?
                                        """)
                                .param(lease.toString())
                                .query()
                                .listOfRows())
                .containsExactly(
                        Map.of(
                                "command", "ChangeLease",
                                "rejection", "LeaseNotFound",
                                "user", "u"));
    }

    @Test
    void equal_denied_attempts_within_a_minute_are_counted_in_one_row() {
        DenialLog access = node.getBean(DenialLog.class);
        String target = lease.toString();
        String other = UUID.randomUUID().toString();
        Instant minute = Instant.parse("2026-11-21T10:00:00Z");
        for (int second : List.of(0, 30, 59, 60)) {
            Instant at = minute.plusSeconds(second);
            access.record(Why.ANOTHER_PROJECT, "read", target, context(null, at));
            access.record(Why.ANOTHER_PROJECT, "read", other, context(null, at));
            access.record(Why.ROLE, "read " + target, "/one/" + second, context(null, at));
        }

        assertThat(timesOf("target", target)).containsExactly(3L, 1L);
        assertThat(timesOf("target", other)).containsExactly(3L, 1L);
        // Attempts on several paths are still one attempt.
        assertThat(timesOf("command", "read " + target)).containsExactly(3L, 1L);
    }

    private List<Long> timesOf(String column, String value) {
        return database.jdbc()
                .sql(
                        "SELECT times FROM denied_attempt WHERE %s = ? ORDER BY attempt_id"
                                .formatted(column))
                .param(value)
                .query(Long.class)
                .list();
    }

    @Test
    void a_rejected_command_of_the_engine_is_not_audited() {
        commands.send(new StartLease(lease), CommandContext.ofEngine(NOW, "req-1", null));
        assertThat(
                        database.jdbc()
                                .sql("SELECT count(*) FROM denied_attempt WHERE target = ?")
                                .param(lease.toString())
                                .query(Long.class)
                                .single())
                .isZero();
    }
}
