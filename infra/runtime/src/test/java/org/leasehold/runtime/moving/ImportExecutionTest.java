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
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.OfReservation;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.lease.ReservationWish;
import org.leasehold.runtime.moving.EngineDatabase.Traces;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.ReservationId;
import org.leasehold.vocabulary.UserId;

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
class ImportExecutionTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Traces NONE = new Traces(Set.of(), Set.of(), Set.of());

    private final FakeEngine engine = new FakeEngine();
    private final ImportExecution movingIn =
            new ImportExecution(engine, engine, engine, Clock.fixed(NOON, ZoneOffset.UTC));
    private final ImportPlan plan = new ImportPlan();
    private final List<String> messages = new ArrayList<>();

    @Test
    void a_rejected_host_skips_only_leases_of_that_host() {
        host(1, "compute-1", true);
        host(2, "compute-2", true);
        ImportableLease first = lease("first", Stage.ACTIVE, "compute-1");
        ImportableLease second = lease("second", Stage.ACTIVE, "compute-2");
        engine.rejecting.add("compute-1");
        assertThat(carryOut()).isEqualTo(2);
        assertThat(engine.leases).containsExactly(second.id());
        assertThat(messages)
                .hasSize(2)
                .last()
                .isEqualTo(
                        "Did not come: %s: has physical:host compute-1, which did not come"
                                .formatted(first));
    }

    @Test
    void pending_leases_are_imported_last() {
        host(1, "compute-1", true);
        ImportableLease waiting = lease("waiting", Stage.PENDING, "compute-1");
        ImportableLease over = lease("over", Stage.ENDED);
        ImportableLease running = lease("running", Stage.ACTIVE, "compute-1");
        ImportableLease broken = lease("broken", Stage.FAILED, "compute-1");
        carryOut();
        assertThat(engine.leases)
                .containsExactly(over.id(), running.id(), broken.id(), waiting.id());
    }

    @Test
    void a_repeated_import_reports_the_missing_outage_once() {
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
    void a_retired_resource_id_blocks_the_import() {
        host(7, "compute-7", true);
        host(8, "compute-8", true);
        check(new Traces(Set.of(), Set.of(new ResourceId(7)), Set.of()));
        assertThat(plan.obstacles())
                .containsExactly(
                        new ImportMessage(
                                "physical:host compute-7", "its id 7 was given up here for good"));
    }

    @Test
    void a_running_engine_blocks_the_import() {
        check(new Traces(Set.of("node-1"), Set.of(), Set.of()));
        assertThat(plan.obstacles())
                .extracting(ImportMessage::about)
                .containsExactly("node node-1");
    }

    @Test
    void a_lease_deleted_after_an_import_blocks_the_next_unless_it_has_ended() {
        ImportableLease deleted = lease("deleted", Stage.PENDING);
        ImportableLease over = lease("over", Stage.ENDED);
        check(new Traces(Set.of(), Set.of(), Set.of(deleted.id(), over.id())));
        assertThat(plan.obstacles())
                .containsExactly(
                        new ImportMessage(deleted.toString(), "has come, and was deleted here"));
    }

    @Test
    void a_first_import_has_no_obstacles() {
        host(7, "compute-7", true);
        lease("first", Stage.PENDING, "compute-7");
        check(NONE);
        assertThat(plan.obstacles()).isEmpty();
    }

    private int carryOut() {
        return movingIn.execute(plan, messages::add);
    }

    private int check(Traces traces) {
        return movingIn.check(plan, traces);
    }

    private void host(long id, String name, boolean reservable) {
        plan.add(
                new ImportPlan.Newcomer(
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

    private ImportableLease lease(String name, Stage stage, String... hosts) {
        ReservationId reservation = new ReservationId(UUID.randomUUID());
        Demand demand =
                new Demand.Whole(
                        ResourceKind.PHYSICAL_HOST,
                        1,
                        1,
                        Requirement.none(),
                        Demand.Selection.FIRST_FIT);
        List<ImportableLease.ImportableReservation> reservations = new ArrayList<>();
        for (String host : hosts) {
            reservations.add(
                    new ImportableLease.ImportableReservation(
                            new ReservationWish(reservation, ResourceKind.PHYSICAL_HOST, Map.of()),
                            demand,
                            Map.of(host, 1)));
        }
        @Nullable String explanation = stage == Stage.FAILED ? "It broke." : null;
        ImportableLease lease =
                new ImportableLease(
                        new LeaseId(UUID.randomUUID()),
                        new ProjectId("p1"),
                        new UserId("u1"),
                        name,
                        new LeasePeriod(NOON, NOON.plus(Duration.ofHours(1))),
                        null,
                        reservations,
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
