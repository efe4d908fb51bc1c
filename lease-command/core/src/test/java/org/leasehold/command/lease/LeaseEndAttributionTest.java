package org.leasehold.command.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.matchers.Matchers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.command.CommandContext;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ConfirmRelease;
import org.leasehold.lease.LeaseCommand.ForceEnd;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDeleted;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.ReservationWish;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.Tenure;
import org.leasehold.vocabulary.UserId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The last events of a lease name the user who requested its end, even after a long release. */
class LeaseEndAttributionTest {

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final LeasePeriod PERIOD =
            new LeasePeriod(START, START.plus(Duration.ofHours(5)));
    private static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    private static final ReservationId RESERVATION = new ReservationId(new UUID(0, 2));
    private static final Tenure TENURE = new Tenure(RESERVATION, 1);
    private static final Map<String, Object> ENGINE =
            Map.of("roles", List.of(), "authentication", "engine", "requestId", "req-engine");
    private static final Map<String, Object> ADA = who("ada", "it is done");
    private static final Map<String, Object> OPERATOR = who("operator", "it hangs");

    private final List<EventMessage<?>> history = new ArrayList<>();
    private AggregateTestFixture<LeaseAggregate> fixture;

    private static Map<String, Object> who(String user, String reason) {
        return Map.of(
                "user",
                user,
                "project",
                "p-" + user,
                "roles",
                List.of("member"),
                "authentication",
                "basic",
                "reason",
                reason,
                "requestId",
                "req-" + user);
    }

    @BeforeEach
    void an_active_lease() {
        fixture =
                LeaseAggregateFixture.create(
                        LeaseSettings.defaults(),
                        new ScriptedCalendar(),
                        new UnlimitedLeaseCounts());
        ReservationWish wish =
                new ReservationWish(
                        RESERVATION, ResourceKind.PHYSICAL_HOST, Map.of("min", 1, "max", 1));
        happened(
                who("eve", "I need it"),
                new LeaseRequested(
                        LEASE,
                        new ProjectId("p"),
                        new UserId("eve"),
                        "nightly",
                        PERIOD,
                        null,
                        List.of(wish),
                        null),
                new ReservationGranted(
                        LEASE,
                        RESERVATION,
                        PERIOD,
                        Duration.ZERO,
                        List.of(new Allocation(new ResourceId(1), "compute-1", Map.of()))),
                new LeaseStarting(LEASE, List.of(TENURE)));
        happened(
                ENGINE,
                new ReservationActivated(LEASE, RESERVATION, Map.of(), null),
                new LeaseActivated(LEASE));
    }

    private void happened(Map<String, Object> metadata, LeaseEvent... events) {
        for (LeaseEvent event : events) {
            history.add(new GenericEventMessage<>(event, metadata));
        }
    }

    private List<EventMessage<?>> when(LeaseCommand command, CommandContext context) {
        List<EventMessage<?>> events = new ArrayList<>();
        fixture.given(history)
                .when(
                        new GenericCommandMessage<>(
                                new GenericMessage<>(
                                        command, Map.of("now", START, "context", context)),
                                LeaseCommand.class.getName()))
                .expectEventsMatching(
                        Matchers.predicate(
                                published -> {
                                    published.forEach(each -> events.add((EventMessage<?>) each));
                                    return true;
                                }));
        return events;
    }

    private static CommandContext engine() {
        return CommandContext.ofEngine(START, "req-release", null);
    }

    /** Returns the events, with the users that they name. */
    private static List<String> doings(List<EventMessage<?>> events) {
        return events.stream()
                .map(
                        event ->
                                "%s %s %s"
                                        .formatted(
                                                event.getPayloadType().getSimpleName(),
                                                event.getMetaData().get("user"),
                                                event.getMetaData().get("reason")))
                .toList();
    }

    @Test
    void a_deletion_names_the_requesting_user_after_the_release() {
        happened(ADA, new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE)));

        List<EventMessage<?>> events = when(new ConfirmRelease(LEASE, TENURE), engine());

        assertThat(doings(events))
                .containsExactly(
                        "ReservationReleased null null",
                        "LeaseEnded ada it is done",
                        "LeaseDeleted ada it is done");
        assertThat(events.getLast().getMetaData())
                .containsEntry("project", "p-ada")
                .containsEntry("roles", List.of("member"))
                .containsEntry("authentication", "basic")
                .doesNotContainEntry("requestId", "req-ada");
    }

    @Test
    void an_early_end_names_the_requesting_user() {
        happened(ADA, new LeaseEnding(LEASE, EndCause.REQUESTED, List.of(TENURE)));

        assertThat(doings(when(new ConfirmRelease(LEASE, TENURE), engine())))
                .containsExactly("ReservationReleased null null", "LeaseEnded ada it is done");
    }

    @Test
    void an_end_on_time_names_no_user() {
        happened(ENGINE, new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));

        assertThat(doings(when(new ConfirmRelease(LEASE, TENURE), engine())))
                .containsExactly("ReservationReleased null null", "LeaseEnded null null");
    }

    @Test
    void a_repeated_deletion_keeps_the_user_of_the_first() {
        happened(ADA, new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE)));
        happened(OPERATOR, new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE)));

        assertThat(doings(when(new ConfirmRelease(LEASE, TENURE), engine())).getLast())
                .isEqualTo("LeaseDeleted ada it is done");
    }

    @Test
    void a_deletion_of_an_ending_lease_names_the_deleting_user() {
        happened(ENGINE, new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
        happened(ADA, new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE)));

        assertThat(doings(when(new ConfirmRelease(LEASE, TENURE), engine())).getLast())
                .isEqualTo("LeaseDeleted ada it is done");
    }

    @Test
    void a_forced_end_does_not_name_the_user_of_an_earlier_deletion() {
        happened(ADA, new LeaseEnding(LEASE, EndCause.DELETED, List.of(TENURE)));
        CommandContext operator =
                new CommandContext(START, "req", "operator", "p", List.of(), "basic", null);

        List<EventMessage<?>> events = when(new ForceEnd(LEASE), operator);

        assertThat(events.stream().<Object>map(EventMessage::getPayload).toList())
                .containsExactly(
                        new ReservationReleased(LEASE, RESERVATION),
                        new LeaseEnded(LEASE, EndCause.FORCED),
                        new LeaseDeleted(LEASE));
        // The command's own metadata are added at its dispatch.
        assertThat(events).noneMatch(event -> event.getMetaData().containsKey("user"));
    }
}
