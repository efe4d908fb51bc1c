package org.leasehold.runtime.moving;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.host.HostPlanning;
import org.leasehold.resource.instance.InstancePlanning;
import org.leasehold.runtime.moving.BlazarSnapshot.Dates;
import org.leasehold.runtime.moving.BlazarSnapshot.Event;
import org.leasehold.runtime.moving.BlazarSnapshot.Host;
import org.leasehold.runtime.moving.BlazarSnapshot.Lease;
import org.leasehold.runtime.moving.BlazarSnapshot.Reservation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Tests the plan for a Blazar's rows, and the messages about omissions. */
class ImportPlannerTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Dates DATES = new Dates(NOON.minusSeconds(60), null);

    private final List<Host> hosts =
            new ArrayList<>(List.of(host("1", "compute-1"), host("2", "compute-2")));
    private final List<Lease> leases = new ArrayList<>();

    @Test
    void a_host_keeps_traits_capabilities_and_inventory() {
        hosts.set(
                0,
                new Host(
                        "7",
                        "compute-7",
                        Map.of("vcpus", 8),
                        "nova",
                        true,
                        Map.of("gpu", "V100", "vcpus", "9"),
                        Map.of("PCPU", 12L),
                        List.of("HW_CPU_X86_AVX")));
        ImportPlan plan = plan();
        EnrolResource enrolment = plan.resources().getFirst().enrolment();
        assertThat(enrolment.resourceId().value()).isEqualTo(7);
        assertThat(enrolment.zone()).isEqualTo("nova");
        assertThat(enrolment.attributes()).containsEntry("HW_CPU_X86_AVX", true);
        assertThat(enrolment.capabilities()).isEqualTo(Map.of("gpu", "V100", "PCPU", "12"));
        assertThat(plan.omissions())
                .containsExactly(new ImportMessage("host 7", "its capability vcpus = 9"));
    }

    @Test
    void unsupported_capabilities_are_left_out() {
        hosts.set(
                0,
                new Host(
                        "7",
                        "compute-7",
                        Map.of("vcpus", 8),
                        "nova",
                        true,
                        new TreeMap<>(
                                Map.of(
                                        "zone",
                                        "nova",
                                        "disabled_reason",
                                        "none",
                                        "capabilities:gpu",
                                        "V100",
                                        "gpu",
                                        "A100",
                                        "g".repeat(65),
                                        "no")),
                        Map.of(),
                        List.of()));
        ImportPlan plan = plan();
        assertThat(plan.resources().getFirst().enrolment().capabilities())
                .isEqualTo(Map.of("gpu", "V100"));
        assertThat(plan.omissions())
                .extracting(ImportMessage::text)
                .containsExactly(
                        "its capability disabled_reason = none",
                        "its capability " + "g".repeat(65) + " = no",
                        "its capability gpu = A100",
                        "its capability zone = nova");
    }

    @Test
    void a_host_id_that_is_no_number_or_too_large_blocks_the_import() {
        hosts.set(0, host("6f1c1b5e", "compute-1"));
        hosts.set(1, host("1000000", "compute-2"));
        hosts.add(host("999999", "compute-3"));
        assertThat(plan().obstacles())
                .extracting(ImportMessage::about)
                .containsExactly("host 6f1c1b5e", "host 1000000");
    }

    @Test
    void two_hosts_with_one_name_block_the_import() {
        hosts.set(1, host("2", "compute-1"));
        assertThat(plan().obstacles())
                .containsExactly(
                        new ImportMessage("host 2", "is called compute-1, as another one is"));
    }

    @Test
    void a_failed_and_an_active_lease_that_hold_one_host_block_the_import() {
        lease("old", "ERROR", "ERROR UNDONE", 0, 1, whole("pending", "1"));
        lease("waiting", "PENDING", 8, 9, whole("pending", "1"));
        assertThat(plan().obstacles()).isEmpty();
        lease("running", "ACTIVE", 4, 5, whole("active", "1"));
        assertThat(plan().obstacles())
                .containsExactly(
                        new ImportMessage(
                                "lease %s (running)".formatted(leases.getLast().id()),
                                "has physical:host compute-1 in its hands, as has lease %s (old):"
                                                .formatted(leases.getFirst().id())
                                        + " one of the two is to be left behind"));
    }

    @Test
    void slots_held_by_a_failed_lease_do_not_block_the_import() {
        lease("old", "ERROR", "ERROR UNDONE", 0, 1, slots("error", "1"));
        lease("running", "ACTIVE", 4, 5, slots("active", "1"));
        assertThat(plan().obstacles()).isEmpty();
    }

    @Test
    void an_active_lease_gets_the_default_before_end_action_of_blazar() {
        lease("over", "TERMINATED", -2, -1, whole("deleted", "1"));
        lease("running", "ACTIVE", 0, 1, whole("active", "1"));
        lease("slots", "ACTIVE", 0, 1, slots("active", "2"));
        ImportPlan plan = plan(Duration.ZERO, Set.of(), "snapshot");
        assertThat(plan.leases())
                .extracting(lease -> lease.reservations().getFirst().wish().parameters())
                .extracting(parameters -> String.valueOf(parameters.get("before_end")))
                .containsExactly("default", "snapshot", "null");
        assertThat(plan.changed())
                .extracting(ImportMessage::about)
                .containsExactly("lease %s (running)".formatted(leases.get(1).id()));
        assertThat(plan().changed()).isEmpty();
    }

    @Test
    void an_unsupported_before_end_action_blocks_the_import() {
        lease("running", "ACTIVE", 0, 1, whole("active", "1"));
        assertThat(plan(Duration.ZERO, Set.of(), "photograph").obstacles())
                .singleElement()
                .satisfies(obstacle -> assertThat(obstacle.text()).contains("before_end"));
    }

    @Test
    void a_lease_can_be_excluded_by_any_id_and_an_unknown_id_is_reported() {
        lease("odd", "PENDING", 0, 1, whole("pending", "1"));
        Lease lease = leases.getFirst();
        leases.set(
                0,
                new Lease(
                        "odd",
                        lease.name(),
                        lease.user(),
                        lease.project(),
                        lease.start(),
                        lease.end(),
                        lease.status(),
                        lease.dates(),
                        lease.reservations(),
                        lease.events()));
        assertThat(plan().obstacles()).hasSize(1);
        ImportPlan plan = plan(Duration.ZERO, Set.of("odd", "even"), "");
        assertThat(plan.obstacles()).isEmpty();
        assertThat(plan.omissions())
                .containsExactly(
                        new ImportMessage("lease odd (odd)", "is to be left behind"),
                        new ImportMessage("lease even", "is to be left behind, and is not there"));
    }

    @Test
    void overlapping_leases_of_one_host_block_the_import() {
        lease("one", "PENDING", 0, 2, whole("pending", "1"));
        lease("other", "PENDING", 1, 3, whole("pending", "1"));
        lease("next", "PENDING", 3, 4, whole("pending", "1"));
        assertThat(plan().obstacles())
                .singleElement()
                .satisfies(
                        obstacle -> {
                            assertThat(obstacle.about()).contains("(other)");
                            assertThat(obstacle.text()).contains("compute-1", "(one)");
                        });
    }

    @Test
    void a_gap_shorter_than_the_cleaning_time_blocks_the_import() {
        lease("one", "PENDING", 0, 1, whole("pending", "1"));
        lease("next", "PENDING", 1, 2, whole("pending", "1"));
        assertThat(plan().obstacles()).isEmpty();
        assertThat(plan(Duration.ofMinutes(1), Set.of(), "").obstacles())
                .singleElement()
                .satisfies(
                        obstacle -> assertThat(obstacle.text()).contains("cleaning time of PT1M"));
    }

    @Test
    void leases_beyond_the_capacity_of_a_host_block_the_import() {
        // It has 8 cores, a slot takes 2.
        lease("two", "PENDING", 0, 4, slots("pending", "1", "1"));
        lease("more", "PENDING", 1, 2, slots("pending", "1", "1"));
        assertThat(plan().obstacles()).isEmpty();
        lease("later", "PENDING", 3, 4, slots("pending", "1", "1"));
        assertThat(plan().obstacles()).isEmpty();
        lease("too many", "PENDING", 0, 2, slots("pending", "1"));
        assertThat(plan().obstacles())
                .containsExactly(
                        new ImportMessage(
                                "lease %s (too many)".formatted(leases.getLast().id()),
                                "takes physical:host compute-1 beyond what it has: 10 of 8 VCPU"));
    }

    @Test
    void instances_on_an_exclusively_leased_host_block_the_import() {
        lease("whole", "PENDING", 0, 2, whole("pending", "1"));
        lease("slots", "PENDING", 1, 3, slots("pending", "1"));
        assertThat(plan().obstacles()).hasSize(1);
    }

    @Test
    void a_lease_in_transition_blocks_the_import_unless_excluded() {
        for (String status :
                List.of("CREATING", "STARTING", "UPDATING", "TERMINATING", "DELETING")) {
            leases.clear();
            lease("busy", status, 0, 1, whole("pending", "1"));
            assertThat(plan().obstacles()).hasSize(1);
            ImportPlan without = plan(Duration.ZERO, Set.of(leases.getFirst().id()), "");
            assertThat(without.obstacles()).isEmpty();
            assertThat(without.leases()).isEmpty();
            assertThat(without.omissions()).hasSize(1);
        }
    }

    @Test
    void a_lease_with_a_failed_start_is_imported_as_failed() {
        lease("broken", "ERROR", "ERROR UNDONE", 0, 1, whole("error", "1"), whole("active", "2"));
        LeasePast past = past();
        assertThat(past.stage()).isEqualTo(Stage.FAILED);
        assertThat(past.explanation()).isNotNull();
        assertThat(past.reservations())
                .extracting(LeasePast.OfReservation::stage)
                .containsExactly(Stage.FAILED, Stage.ACTIVE);
    }

    @Test
    void a_pending_reservation_of_a_failed_start_is_imported_as_failed() {
        lease("broken", "ERROR", "ERROR UNDONE", 0, 1, whole("pending", "1"));
        assertThat(past().reservations().getFirst().stage()).isEqualTo(Stage.FAILED);
    }

    @Test
    void a_lease_in_error_with_a_done_start_is_imported_as_active() {
        lease("changed", "ERROR", "DONE UNDONE", 0, 1, whole("active", "1"));
        ImportPlan plan = plan();
        assertThat(plan.leases().getFirst().past().stage()).isEqualTo(Stage.ACTIVE);
        assertThat(plan.changed()).hasSize(1);
    }

    @Test
    void an_active_reservation_without_an_allocation_blocks_the_import() {
        lease("lost", "ACTIVE", 0, 1, whole("active"));
        assertThat(plan().obstacles()).hasSize(1);
    }

    @Test
    void an_ended_lease_holds_nothing_and_is_left_out_if_unsupported() {
        lease("over", "TERMINATED", 0, 1, whole("deleted", "1"));
        lease("odd", "TERMINATED", 0, 1, unknown("deleted"));
        ImportPlan plan = plan();
        assertThat(plan.obstacles()).isEmpty();
        assertThat(plan.omissions()).hasSize(1);
        assertThat(plan.leases().getFirst().reservations().getFirst().slots()).isEmpty();
    }

    @Test
    void a_kind_without_a_plugin_blocks_the_import() {
        lease("net", "PENDING", 0, 1, unknown("pending"));
        assertThat(plan().obstacles())
                .extracting(ImportMessage::text)
                .containsExactly("no plugin is switched on for network");
    }

    @Test
    void a_custom_event_of_a_user_is_left_out() {
        lease("own", "PENDING", 0, 1, whole("pending", "1"));
        Lease lease = leases.getFirst();
        List<Event> events = new ArrayList<>(lease.events());
        events.add(new Event(UUID.randomUUID().toString(), "party", NOON, "UNDONE", DATES));
        leases.set(
                0,
                new Lease(
                        lease.id(),
                        lease.name(),
                        lease.user(),
                        lease.project(),
                        lease.start(),
                        lease.end(),
                        lease.status(),
                        lease.dates(),
                        lease.reservations(),
                        events));
        assertThat(plan().omissions())
                .extracting(ImportMessage::text)
                .containsExactly("its event party at 2030-01-01T12:00:00Z");
    }

    private LeasePast past() {
        ImportPlan plan = plan();
        assertThat(plan.obstacles()).isEmpty();
        return plan.leases().getFirst().past();
    }

    private ImportPlan plan() {
        return plan(Duration.ZERO, Set.of(), "");
    }

    private ImportPlan plan(Duration cleaning, Set<String> without, String beforeEnd) {
        return ImportPlanner.plan(
                new BlazarSnapshot("x", hosts, List.of(), List.of(), leases),
                without,
                cleaning,
                beforeEnd,
                new HostsAndSlots());
    }

    private static Host host(String id, String name) {
        return new Host(
                id,
                name,
                Map.of("vcpus", 8, "memory_mb", 65_536, "local_gb", 1_000),
                "",
                true,
                Map.of(),
                Map.of(),
                List.of());
    }

    private void lease(String name, String status, int from, int to, Reservation... reservations) {
        String events =
                switch (status) {
                    case "ACTIVE" -> "DONE UNDONE";
                    case "TERMINATED" -> "DONE DONE";
                    default -> "UNDONE UNDONE";
                };
        lease(name, status, events, from, to, reservations);
    }

    /** Adds a lease, with hours from noon on; the events have the given statuses. */
    private void lease(
            String name,
            String status,
            String events,
            int from,
            int to,
            Reservation... reservations) {
        Instant start = NOON.plus(Duration.ofHours(from));
        Instant end = NOON.plus(Duration.ofHours(to));
        String[] of = events.split(" ", -1);
        leases.add(
                new Lease(
                        UUID.randomUUID().toString(),
                        name,
                        "u1",
                        "p1",
                        start,
                        end,
                        status,
                        DATES,
                        List.of(reservations),
                        List.of(
                                event("start_lease", start, of[0]),
                                event("end_lease", end, of[1]))));
    }

    private static Event event(String type, Instant time, String status) {
        return new Event(UUID.randomUUID().toString(), type, time, status, DATES);
    }

    private static Reservation whole(String status, String... hosts) {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        parameters.put("min", "1");
        parameters.put("max", "2");
        parameters.put("hypervisor_properties", null);
        parameters.put("resource_properties", "");
        parameters.put("before_end", "default");
        return reservation("physical:host", status, parameters, hosts);
    }

    private static Reservation slots(String status, String... hosts) {
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        parameters.put("vcpus", 2);
        parameters.put("memory_mb", 1_024);
        parameters.put("disk_gb", 10);
        parameters.put("amount", hosts.length);
        parameters.put("affinity", null);
        parameters.put("resource_properties", null);
        return reservation("virtual:instance", status, parameters, hosts);
    }

    private static Reservation unknown(String status) {
        return reservation("network", status, Map.of(), "1");
    }

    // As in every record with such a map: the compiler loses the annotation of its values.
    @SuppressWarnings("NullAway")
    private static Reservation reservation(
            String type, String status, Map<String, @Nullable Object> parameters, String... hosts) {
        return new Reservation(
                UUID.randomUUID().toString(),
                type,
                status,
                false,
                false,
                DATES,
                parameters,
                Map.of(),
                List.of(hosts),
                List.of());
    }

    private static final class HostsAndSlots implements Plugins {

        private static final Map<ResourceKind, Planning> KINDS =
                Map.of(
                        ResourceKind.PHYSICAL_HOST,
                        new HostPlanning(),
                        ResourceKind.VIRTUAL_INSTANCE,
                        new InstancePlanning());

        @Override
        public Optional<ResourcePlugin> find(ResourceKind kind) {
            return Optional.ofNullable(KINDS.get(kind)).map(plugin -> new PlansOnly(kind, plugin));
        }

        @Override
        public SortedSet<String> kinds() {
            return new TreeSet<>(KINDS.keySet().stream().map(ResourceKind::value).toList());
        }
    }

    private record PlansOnly(ResourceKind kind, Planning planning) implements ResourcePlugin {

        @Override
        public Acting acting() {
            throw new AssertionError("planning touches no cloud");
        }
    }
}
