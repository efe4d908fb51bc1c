package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext.Idempotency;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.journal.EventSamples;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.AnnounceEnd;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.LeaseRejection.IdempotencyKeyReused;
import org.leasehold.vocabulary.LeaseId;

import java.util.List;

/** The idempotency keys of a group. */
class GroupIdempotencyTest extends GroupCommitFixture {

    @Test
    void a_refusal_in_a_group_takes_the_idempotency_key() {
        List<LeaseId> leases = ids(2);
        leases.forEach(lease -> create(lease).send());
        Idempotency key = new Idempotency("p", "k-refused", "hash");
        Sending refused =
                () ->
                        commands.send(
                                new EndLease(leases.get(0), EndCause.REQUESTED),
                                context("req-1", 0, key));
        List<Outcome<LeaseRejection>> outcomes = grouped(List.of(refused, refused(leases.get(1))));

        assertThat(outcomes).containsOnly(new Refused<>(List.of(), last(leases.get(1))));
        assertThat(refused.send()).isEqualTo(outcomes.get(0));
        assertThat(events(leases.get(0))).isEqualTo(2);
        jdbc.sql("DELETE FROM idempotency").update();
    }

    @Test
    void a_postponed_command_takes_the_idempotency_key_when_decided_alone() {
        LeaseId lease = ids(1).getFirst();
        create(lease).send();
        Idempotency key = new Idempotency("p", "k-postponed", "hash");
        Sending announcement =
                () -> commands.send(new AnnounceEnd(lease), context("req-1", 0, key));
        List<Outcome<LeaseRejection>> outcomes =
                grouped(List.of(create(ids(1).getFirst()), announcement));

        assertThat(outcomes.get(1)).isInstanceOf(Accepted.class);
        assertThat(announcement.send()).isEqualTo(outcomes.get(1));
        assertThat(events(lease)).isEqualTo(2);
        jdbc.sql("DELETE FROM idempotency").update();
    }

    @Test
    void a_repeated_request_in_a_group_gets_the_first_outcome() {
        Idempotency key = new Idempotency("p", "k-twice", "hash");
        List<LeaseId> leases = ids(2);
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        leases.stream()
                                .<Sending>map(
                                        lease ->
                                                () ->
                                                        commands.send(
                                                                EventSamples.creation(lease),
                                                                context("req-1", 0, key)))
                                .toList());

        assertThat(outcomes.get(0)).isEqualTo(outcomes.get(1)).isInstanceOf(Accepted.class);
        assertThat(leases.stream().mapToLong(this::events).sum()).isOne();
        jdbc.sql("DELETE FROM idempotency").update();
    }

    @Test
    void idempotency_keys_of_a_group_need_one_insert_and_one_update() {
        jdbc.sql(
                        """
                        CREATE TABLE key_statement (operation text);
                        CREATE FUNCTION note_key_statement() RETURNS trigger LANGUAGE plpgsql
                            AS 'BEGIN INSERT INTO key_statement VALUES (TG_OP); RETURN NULL; END';
                        CREATE TRIGGER key_statements AFTER INSERT OR UPDATE OR DELETE
                            ON idempotency EXECUTE FUNCTION note_key_statement();
                        """)
                .update();
        List<LeaseId> leases = ids(10);
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        leases.stream()
                                .map(lease -> createOnce(lease, "k-" + lease, "h"))
                                .toList());

        assertThat(transactions(leases)).isOne();
        // PostgreSQL runs triggers of updates for INSERT … ON CONFLICT DO UPDATE, too.
        assertThat(jdbc.sql("SELECT operation FROM key_statement").query(String.class).list())
                .containsExactlyInAnyOrder("INSERT", "UPDATE", "UPDATE");
        for (int i = 0; i < leases.size(); i++) {
            LeaseId repeated = ids(1).getFirst();
            assertThat(createOnce(repeated, "k-" + leases.get(i), "h").send())
                    .isEqualTo(outcomes.get(i))
                    .isInstanceOf(Accepted.class);
            assertThat(events(repeated)).isZero();
        }
        jdbc.sql(
                        """
                        DROP TRIGGER key_statements ON idempotency;
                        DROP FUNCTION note_key_statement;
                        DROP TABLE key_statement;
                        DELETE FROM idempotency;
                        """)
                .update();
    }

    private Sending createOnce(LeaseId lease, String key, String hash) {
        return () ->
                commands.send(
                        EventSamples.creation(lease),
                        context("req-" + lease, 0, new Idempotency("p", key, hash)));
    }

    @Test
    void a_key_of_two_different_requests_in_a_group_is_accepted_once() {
        List<LeaseId> leases = ids(2);
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        List.of(
                                createOnce(leases.get(0), "k-both", "one"),
                                createOnce(leases.get(1), "k-both", "other")));

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(1);
        assertThat(outcomes)
                .filteredOn(Rejected.class::isInstance)
                .containsExactly(new Rejected<>(new IdempotencyKeyReused("k-both")));
        assertThat(leases.stream().mapToLong(this::events).sum()).isOne();
        jdbc.sql("DELETE FROM idempotency").update();
    }
}
