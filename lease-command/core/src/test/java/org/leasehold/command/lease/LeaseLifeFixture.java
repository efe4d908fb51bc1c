package org.leasehold.command.lease;

import static org.leasehold.command.lease.ScriptedCalendar.GENERATION;
import static org.leasehold.command.lease.ScriptedCalendar.allocation;

import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.ResultValidator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.leasehold.calendar.Shortage;
import org.leasehold.command.Outcome;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Action;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.Fault;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseActivated;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseEnded;
import org.leasehold.lease.LeaseEvent.LeaseEnding;
import org.leasehold.lease.LeaseEvent.LeaseRequested;
import org.leasehold.lease.LeaseEvent.LeaseStarting;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationChanged;
import org.leasehold.lease.LeaseEvent.ReservationFailed;
import org.leasehold.lease.LeaseEvent.ReservationGranted;
import org.leasehold.lease.LeaseEvent.ReservationReleased;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationChange;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The fixture of a lease's lifecycle: given events, when a command, then events or a rejection. */
abstract class LeaseLifeFixture {

    static final LeaseId LEASE = new LeaseId(new UUID(0, 1));
    static final ReservationId RESERVATION = new ReservationId(new UUID(0, 2));
    static final ReservationId OTHER_LEASES = new ReservationId(new UUID(0, 3));
    static final ProjectId PROJECT = new ProjectId("p1");
    static final UserId USER = new UserId("u1");

    static final Instant NOW = Instant.parse("2030-01-01T11:30:20Z");
    static final Instant START = Instant.parse("2030-01-01T12:00:00Z");
    static final Instant WARNING = Instant.parse("2030-01-01T13:00:00Z");
    static final Instant END = Instant.parse("2030-01-01T14:00:00Z");
    static final LeasePeriod PERIOD = new LeasePeriod(START, END);
    static final Tenure TENURE = new Tenure(RESERVATION, GENERATION);
    static final Shortage SHORTAGE =
            new Shortage(
                    RESERVATION,
                    ResourceKind.PHYSICAL_HOST,
                    2,
                    5,
                    1,
                    PERIOD,
                    1,
                    END.plusSeconds(60));

    final ScriptedCalendar calendar = new ScriptedCalendar();
    AggregateTestFixture<LeaseAggregate> fixture;

    @BeforeEach
    void prepare() {
        fixture =
                LeaseAggregateFixture.create(
                        LeaseSettings.defaults(), calendar, new UnlimitedLeaseCounts());
    }

    // Commands and events of the tests.

    static CreateLease create(int min, int max) {
        return create(List.of(wish(min, max)), START, END, WARNING);
    }

    static CreateLease create(
            List<ReservationWish> wishes, Instant start, Instant end, @Nullable Instant beforeEnd) {
        return new CreateLease(
                LEASE, PROJECT, USER, "nightly", start, end, beforeEnd, wishes, null, null);
    }

    static ChangeLease rename(String name) {
        return new ChangeLease(LEASE, name, null, null, null, List.of());
    }

    static ChangeLease change(
            @Nullable Instant start, @Nullable Instant end, @Nullable Instant beforeEnd) {
        return new ChangeLease(LEASE, null, start, end, beforeEnd, List.of());
    }

    static ChangeLease resize(int min, int max) {
        return new ChangeLease(
                LEASE,
                null,
                null,
                null,
                null,
                List.of(new ReservationChange(RESERVATION, Map.of("min", min, "max", max))));
    }

    static ReservationWish wish(int min, int max) {
        return new ReservationWish(
                RESERVATION, ResourceKind.PHYSICAL_HOST, HostOnlyPlugins.parameters(min, max));
    }

    static LeaseEvent requested(ReservationWish wish) {
        return new LeaseRequested(
                LEASE, PROJECT, USER, "nightly", PERIOD, WARNING, List.of(wish), null);
    }

    static LeaseEvent changed(int min, int max) {
        return new ReservationChanged(
                LEASE, RESERVATION, new LinkedHashMap<>(HostOnlyPlugins.parameters(min, max)));
    }

    static LeaseEvent granted(LeasePeriod period, int hosts) {
        List<org.leasehold.lease.Allocation> allocations = new ArrayList<>();
        for (int host = 1; host <= hosts; host++) {
            allocations.add(allocation(host));
        }
        return new ReservationGranted(LEASE, RESERVATION, period, Duration.ZERO, allocations);
    }

    static LeaseEvent failed(Action action, String message) {
        return new ReservationFailed(
                LEASE, RESERVATION, action, new Fault(Fault.Kind.INSUFFICIENT_RESOURCES, message));
    }

    static List<LeaseEvent> pending() {
        return List.of(requested(wish(1, 1)), granted(PERIOD, 1));
    }

    static List<LeaseEvent> delayed() {
        return with(
                pending(), new LeaseDelayed(LEASE, List.of(OTHER_LEASES), "compute-1 is in use"));
    }

    static List<LeaseEvent> starting() {
        return with(pending(), new LeaseStarting(LEASE, List.of(TENURE)));
    }

    static List<LeaseEvent> active() {
        return active(1);
    }

    static List<LeaseEvent> active(int hosts) {
        return List.of(
                requested(wish(hosts, hosts)),
                granted(PERIOD, hosts),
                new LeaseStarting(LEASE, List.of(TENURE)),
                new ReservationActivated(LEASE, RESERVATION),
                new LeaseActivated(LEASE));
    }

    static List<LeaseEvent> ending() {
        return with(active(), new LeaseEnding(LEASE, EndCause.WINDOW_OVER, List.of(TENURE)));
    }

    static List<LeaseEvent> ended() {
        return with(
                ending(),
                new ReservationReleased(LEASE, RESERVATION),
                new LeaseEnded(LEASE, EndCause.WINDOW_OVER));
    }

    static List<LeaseEvent> with(List<LeaseEvent> history, LeaseEvent... more) {
        List<LeaseEvent> all = new ArrayList<>(history);
        all.addAll(List.of(more));
        return all;
    }

    Given given(LeaseEvent... history) {
        return given(List.of(history));
    }

    Given given(List<LeaseEvent> history) {
        return new Given(history, NOW);
    }

    final class Given {

        private final List<LeaseEvent> history;
        private final Instant now;

        Given(List<LeaseEvent> history, Instant now) {
            this.history = history;
            this.now = now;
        }

        Given at(Instant instant) {
            return new Given(history, instant);
        }

        Then when(LeaseCommand command) {
            return when(command, Map.of("now", now));
        }

        /** Sends a command of a caller who accepts only these versions. */
        Then when(LeaseCommand command, Set<Long> expectedVersions) {
            return when(command, Map.of("now", now, "expectedVersions", expectedVersions));
        }

        private Then when(LeaseCommand command, Map<String, Object> metadata) {
            return new Then(
                    fixture.given(history)
                            .when(
                                    new GenericCommandMessage<>(
                                            new GenericMessage<>(command, metadata),
                                            LeaseCommand.class.getName())));
        }
    }

    record Then(ResultValidator<LeaseAggregate> result) {

        void expectEvents(LeaseEvent... events) {
            result.expectEvents((Object[]) events);
        }

        Then refused() {
            result.expectResultMessagePayload(
                    new Outcome.Refused<LeaseRejection>(List.of(SHORTAGE), 0));
            return this;
        }

        void nothing() {
            result.expectNoEvents()
                    .expectResultMessagePayload(new Outcome.Accepted<LeaseRejection>(0));
        }

        void rejected(LeaseRejection rejection) {
            result.expectNoEvents().expectResultMessagePayload(new Outcome.Rejected<>(rejection));
        }
    }
}
