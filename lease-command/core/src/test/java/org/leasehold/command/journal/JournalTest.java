package org.leasehold.command.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.axonframework.common.Registration;
import org.axonframework.messaging.Message;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.Outcome.Refused;
import org.leasehold.command.Outcome.Rejected;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand.EndLease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseCommand.StartLease;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.List;
import java.util.Map;

/** The events and the outcomes of commands. */
class JournalTest extends JournalFixture {

    @Test
    void a_stored_event_is_read_as_it_was_decided() {
        send(EventSamples.creation(lease));
        assertThat(events(lease))
                .containsExactly(
                        new LeaseRequested(
                                lease,
                                EventSamples.PROJECT,
                                EventSamples.USER,
                                "a",
                                EventSamples.PERIOD,
                                null,
                                List.of(EventSamples.wish()),
                                null));
    }

    @Test
    void every_event_has_the_metadata_of_the_command() {
        commands.send(
                EventSamples.creation(lease),
                new CommandContext(
                        NOW,
                        "req-1",
                        "u",
                        "p",
                        List.of("member", "reader"),
                        "basic",
                        "cause",
                        "because",
                        null,
                        null,
                        null));
        Message<?> event = journal.readEvents(lease.toString()).next();
        assertThat(event.getMetaData())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                "requestId", "req-1",
                                "user", "u",
                                "project", "p",
                                "roles", List.of("member", "reader"),
                                "authentication", "basic",
                                "causation", "cause",
                                "reason", "because"));
        assertThat(journal.readEvents(lease.toString()).next().getTimestamp()).isEqualTo(NOW);
    }

    @Test
    void an_outcome_names_the_position_of_the_last_event() {
        assertThat(position(send(EventSamples.creation(lease)))).isEqualTo(engine.head());
        assertThat(position(send(rename("b")))).isEqualTo(engine.head());
        assertThat(position(send(new EndLease(lease, EndCause.REQUESTED))))
                .isEqualTo(engine.head());
    }

    private static long position(Outcome<?> outcome) {
        return switch (outcome) {
            case Accepted<?> accepted -> accepted.position();
            case Refused<?> refused -> refused.position();
            case Rejected<?> rejected -> throw new AssertionError(rejected);
        };
    }

    @Test
    void a_command_without_effect_is_accepted_at_the_current_position() {
        send(EventSamples.creation(lease));
        long head = engine.head();
        assertThat(send(new StartLease(lease))).isEqualTo(new Accepted<>(head));
        assertThat(engine.head()).isEqualTo(head);
    }

    @Test
    void a_failed_handler_stores_no_event() {
        send(EventSamples.creation(lease));
        assertThatThrownBy(() -> send(new ForceEnd(lease)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a defect");
        assertThat(events(lease)).hasSize(1);
    }

    @Test
    void a_failed_subscriber_rolls_back_the_event() {
        Registration table =
                journal.subscribe(
                        ignored -> {
                            throw new IllegalStateException("no table");
                        });
        try {
            assertThatThrownBy(() -> send(EventSamples.creation(lease))).hasMessage("no table");
        } finally {
            table.cancel();
        }
        assertThat(events(lease)).isEmpty();
    }

    @Test
    void a_rehearsal_returns_the_events_and_stores_none() {
        long head = engine.head();
        Commands.Rehearsal rehearsal =
                commands.rehearse(EventSamples.creation(lease), context(null));
        assertThat(rehearsal.outcome()).isEqualTo(new Accepted<>(head));
        assertThat(rehearsal.events()).hasExactlyElementsOfTypes(LeaseRequested.class);
        assertThat(engine.head()).isEqualTo(head);
        assertThat(commands.rehearse(EventSamples.creation(lease), context(null)).events())
                .hasSize(1);
    }

    @Test
    void a_command_inside_an_outer_transaction_fails() {
        var transactions = new TransactionTemplate(node.getBean(PlatformTransactionManager.class));
        assertThatThrownBy(
                        () ->
                                transactions.executeWithoutResult(
                                        ignored -> send(EventSamples.creation(lease))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nodes_share_one_sequence_of_resource_ids() {
        long first = commands.nextResourceId().value();
        assertThat(elsewhere.nextResourceId().value()).isEqualTo(first + 1);
    }
}
