package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.command.RequestOrigin;
import org.leasehold.command.journal.EventSamples;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.vocabulary.LeaseId;

import java.util.ArrayList;
import java.util.List;

/** The events and the transactions of a group of commands. */
class GroupCommitTest extends GroupCommitFixture {

    @Test
    void commands_that_arrive_during_a_commit_share_a_transaction() {
        List<LeaseId> leases = ids(20);
        List<Outcome<LeaseRejection>> outcomes =
                grouped(leases.stream().map(this::create).toList());

        assertThat(outcomes).allMatch(Accepted.class::isInstance);
        assertThat(leases).allMatch(lease -> events(lease) == 1);
        assertThat(transactions(leases)).isOne();
    }

    @Test
    void each_event_of_a_group_has_the_request_id_and_time_of_the_command() {
        List<LeaseId> leases = ids(2);
        grouped(
                List.of(
                        () ->
                                commands.send(
                                        EventSamples.creation(leases.get(0)),
                                        context("req-a", 1, null)),
                        () ->
                                commands.send(
                                        EventSamples.creation(leases.get(1)),
                                        context("req-b", 2, null))));

        assertThat(transactions(leases)).isOne();
        assertThat(request(leases.get(0))).isEqualTo("req-a " + NOW.plusSeconds(1));
        assertThat(request(leases.get(1))).isEqualTo("req-b " + NOW.plusSeconds(2));
    }

    @Test
    void the_group_transaction_stores_the_origins_of_all_requests() {
        List<LeaseId> leases = ids(4);
        LeaseId missing = ids(1).getFirst();
        List<Sending> sent = new ArrayList<>();
        for (LeaseId lease : leases) {
            sent.add(() -> commands.send(EventSamples.creation(lease), from("192.0.2.7", lease)));
        }
        sent.add(2, () -> commands.send(rename(missing), from("192.0.2.8", missing)));

        List<Outcome<LeaseRejection>> outcomes = grouped(sent);

        assertThat(outcomes.get(2)).isInstanceOf(Rejected.class);
        assertThat(transactions(leases)).isOne();
        assertThat(
                        jdbc.sql(
                                        """
                                        SELECT count(*) FROM domain_event e JOIN request_origin o
                                        ON o.request_id = e.metadata ->> 'requestId'
                                            AND o.xmin = e.xmin
                                        WHERE host(address) = '192.0.2.7'
                                        """)
                                .query(Integer.class)
                                .single())
                .isEqualTo(leases.size());
    }

    private CommandContext from(String address, LeaseId lease) {
        return context("req-" + lease, 0, null).withOrigin(RequestOrigin.of(address, null));
    }

    @Test
    void commands_to_one_lease_are_decided_one_after_the_other() {
        LeaseId lease = ids(1).getFirst();
        List<Outcome<LeaseRejection>> outcomes =
                grouped(
                        List.of(
                                create(lease),
                                create(lease),
                                create(ids(1).getFirst()),
                                create(lease)));

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(2);
        assertThat(events(lease)).isOne();
    }
}
