package org.leasehold.runtime.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseId;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.OfReservation;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.lease.LeasePeriod;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.ReservationId;
import org.leasehold.lease.ReservationWish;
import org.leasehold.lease.UserId;
import org.leasehold.runtime.moving.OwnDatabase.Traces;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Tests how a plan is carried out, and the messages about failures. */
class MovingInTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Traces NONE = new Traces(Set.of(), Set.of(), Set.of());

    private final EngineOnPaper engine = new EngineOnPaper();
    private final MovingIn movingIn =
            new MovingIn(engine, engine, engine, Clock.fixed(NOON, ZoneOffset.UTC));
    private final Plan plan = new Plan();
    private final List<String> told = new ArrayList<>();

    @Test
    void a_host_that_does_not_come_keeps_only_its_own_leases_away() {
        host(1, "compute-1", true);
        host(2, "compute-2", true);
        Arrival first = lease("first", Stage.ACTIVE, "compute-1");
        Arrival second = lease("second", Stage.ACTIVE, "compute-2");
        engine.rejecting.add("compute-1");
        assertThat(carryOut()).isEqualTo(2);
        assertThat(engine.leases).containsExactly(second.id());
        assertThat(told)
                .hasSize(2)
                .last()
                .isEqualTo(
                        "Did not come: %s: has physical:host compute-1, which did not come"
                                .formatted(first));
    }

    @Test
    void who_has_something_comes_before_who_waits_for_it() {
        host(1, "compute-1", true);
        Arrival waiting = lease("waiting", Stage.PENDING, "compute-1");
        Arrival over = lease("over", Stage.ENDED);
        Arrival running = lease("running", Stage.ACTIVE, "compute-1");
        Arrival broken = lease("broken", Stage.FAILED, "compute-1");
        carryOut();
        assertThat(engine.leases)
                .containsExactly(over.id(), running.id(), broken.id(), waiting.id());
    }

    @Test
    void who_begins_again_says_of_a_broken_host_what_was_not_said_yet() {
        host(1, "compute-1", false);
        lease("running", Stage.ACTIVE, "compute-1");
        engine.cutOff = true;
        assertThatThrownBy(this::carryOut).isInstanceOf(IllegalStateException.class);
        assertThat(engine.outages).isEmpty();

        engine.cutOff = false;
        assertThat(carryOut()).isZero();
        assertThat(engine.outages).containsExactly(new ResourceId(1));

        // The host is healthy again, as a survey has found meanwhile.
        carryOut();
        assertThat(engine.outages).hasSize(1);
    }

    @Test
    void an_id_that_was_given_up_here_stands_in_the_way() {
        host(7, "compute-7", true);
        host(8, "compute-8", true);
        check(new Traces(Set.of(), Set.of(new ResourceId(7)), Set.of()));
        assertThat(plan.obstacles())
                .containsExactly(
                        new Note("physical:host compute-7", "its id 7 was given up here for good"));
    }

    @Test
    void an_engine_that_works_stands_in_the_way() {
        check(new Traces(Set.of("node-1"), Set.of(), Set.of()));
        assertThat(plan.obstacles()).extracting(Note::about).containsExactly("node node-1");
    }

    @Test
    void what_was_deleted_here_since_it_came_stands_in_the_way_unless_it_is_over() {
        Arrival deleted = lease("deleted", Stage.PENDING);
        Arrival over = lease("over", Stage.ENDED);
        check(new Traces(Set.of(), Set.of(), Set.of(deleted.id(), over.id())));
        assertThat(plan.obstacles())
                .containsExactly(new Note(deleted.toString(), "has come, and was deleted here"));
    }

    @Test
    void nothing_stands_in_the_way_of_who_comes_for_the_first_time() {
        host(7, "compute-7", true);
        lease("first", Stage.PENDING, "compute-7");
        check(NONE);
        assertThat(plan.obstacles()).isEmpty();
    }

    private int carryOut() {
        return movingIn.carryOut(plan, told::add);
    }

    private int check(Traces traces) {
        return movingIn.check(plan, traces);
    }

    private void host(long id, String name, boolean reservable) {
        plan.add(
                new Plan.Newcomer(
                        new EnrolResource(
                                new ResourceId(id),
                                ResourceKind.PHYSICAL_HOST,
                                name,
                                null,
                                null,
                                Map.of(),
                                Map.of()),
                        true,
                        reservable));
    }

    private Arrival lease(String name, Stage stage, String... hosts) {
        ReservationId reservation = new ReservationId(UUID.randomUUID());
        Demand demand =
                new Demand.Whole(
                        ResourceKind.PHYSICAL_HOST,
                        1,
                        1,
                        Requirement.none(),
                        Demand.Selection.FIRST_FIT);
        List<Arrival.Place> places = new ArrayList<>();
        for (String host : hosts) {
            places.add(
                    new Arrival.Place(
                            new ReservationWish(reservation, ResourceKind.PHYSICAL_HOST, Map.of()),
                            demand,
                            Map.of(host, 1)));
        }
        @Nullable String explanation = stage == Stage.FAILED ? "It broke." : null;
        Arrival lease =
                new Arrival(
                        new LeaseId(UUID.randomUUID()),
                        new ProjectId("p1"),
                        new UserId("u1"),
                        name,
                        new LeasePeriod(NOON, NOON.plus(Duration.ofHours(1))),
                        null,
                        places,
                        new LeasePast(
                                stage,
                                explanation,
                                List.of(
                                        new OfReservation(
                                                reservation,
                                                stage,
                                                null,
                                                false,
                                                false,
                                                NOON,
                                                null)),
                                List.of(),
                                NOON,
                                null));
        plan.add(lease);
        return lease;
    }
}
