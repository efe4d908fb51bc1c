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
import org.leasehold.runtime.moving.Blazar.Dates;
import org.leasehold.runtime.moving.Blazar.Event;
import org.leasehold.runtime.moving.Blazar.Host;
import org.leasehold.runtime.moving.Blazar.Lease;
import org.leasehold.runtime.moving.Blazar.Reservation;

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
class PlannerTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Dates DATES = new Dates(NOON.minusSeconds(60), null);

    private final List<Host> hosts =
            new ArrayList<>(List.of(host("1", "compute-1"), host("2", "compute-2")));
    private final List<Lease> leases = new ArrayList<>();

    @Test
    void a_host_brings_its_traits_and_what_else_may_be_reserved_of_it() {
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
        Plan plan = plan();
        EnrolResource enrolment = plan.resources().getFirst().enrolment();
        assertThat(enrolment.resourceId().value()).isEqualTo(7);
        assertThat(enrolment.zone()).isEqualTo("nova");
        assertThat(enrolment.attributes()).containsEntry("HW_CPU_X86_AVX", true);
        assertThat(enrolment.capabilities()).isEqualTo(Map.of("gpu", "V100", "PCPU", "12"));
        assertThat(plan.left()).containsExactly(new Note("host 7", "its capability vcpus = 9"));
    }

    @Test
    void what_the_inventory_takes_for_no_capability_is_left_behind() {
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
        Plan plan = plan();
        assertThat(plan.resources().getFirst().enrolment().capabilities())
                .isEqualTo(Map.of("gpu", "V100"));
        assertThat(plan.left())
                .extracting(Note::text)
                .containsExactly(
                        "its capability disabled_reason = none",
                        "its capability " + "g".repeat(65) + " = no",
                        "its capability gpu = A100",
                        "its capability zone = nova");
    }

    @Test
    void a_host_whose_id_is_no_number_stands_in_the_way_and_so_does_a_number_beyond_all_clouds() {
        hosts.set(0, host("6f1c1b5e", "compute-1"));
        hosts.set(1, host("1000000", "compute-2"));
        hosts.add(host("999999", "compute-3"));
        assertThat(plan().obstacles())
                .extracting(Note::about)
                .containsExactly("host 6f1c1b5e", "host 1000000");
    }

    @Test
    void two_hosts_of_one_name_stand_in_the_way() {
        hosts.set(1, host("2", "compute-1"));
        assertThat(plan().obstacles())
                .containsExactly(new Note("host 2", "is called compute-1, as another one is"));
    }

    @Test
    void a_host_that_was_never_taken_back_stands_in_the_way_of_who_has_it_now() {
        lease("old", "ERROR", "ERROR UNDONE", 0, 1, whole("pending", "1"));
        lease("waiting", "PENDING", 8, 9, whole("pending", "1"));
        assertThat(plan().obstacles()).isEmpty();
        lease("running", "ACTIVE", 4, 5, whole("active", "1"));
        assertThat(plan().obstacles())
                .containsExactly(
                        new Note(
                                "lease %s (running)".formatted(leases.getLast().id()),
                                "has physical:host compute-1 in its hands, as has lease %s (old):"
                                                .formatted(leases.getFirst().id())
                                        + " one of the two is to be left behind"));
    }

    @Test
    void slots_that_were_never_taken_back_stand_in_nobodys_way() {
        lease("old", "ERROR", "ERROR UNDONE", 0, 1, slots("error", "1"));
        lease("running", "ACTIVE", 4, 5, slots("active", "1"));
        assertThat(plan().obstacles()).isEmpty();
    }

    @Test
    void what_is_done_before_an_end_by_default_there_is_done_here() {
        lease("over", "TERMINATED", -2, -1, whole("deleted", "1"));
        lease("running", "ACTIVE", 0, 1, whole("active", "1"));
        lease("slots", "ACTIVE", 0, 1, slots("active", "2"));
        Plan plan = plan(Duration.ZERO, Set.of(), "snapshot");
        assertThat(plan.leases())
                .extracting(lease -> lease.places().getFirst().wish().parameters())
                .extracting(parameters -> String.valueOf(parameters.get("before_end")))
                .containsExactly("default", "snapshot", "null");
        assertThat(plan.changed())
                .extracting(Note::about)
                .containsExactly("lease %s (running)".formatted(leases.get(1).id()));
        assertThat(plan().changed()).isEmpty();
    }

    @Test
    void what_cannot_be_done_before_an_end_here_stands_in_the_way() {
        lease("running", "ACTIVE", 0, 1, whole("active", "1"));
        assertThat(plan(Duration.ZERO, Set.of(), "photograph").obstacles())
                .singleElement()
                .satisfies(note -> assertThat(note.text()).contains("before_end"));
    }

    @Test
    void whatever_is_called_by_any_id_can_be_left_behind_and_who_is_not_there_is_named() {
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
        Plan plan = plan(Duration.ZERO, Set.of("odd", "even"), "");
        assertThat(plan.obstacles()).isEmpty();
        assertThat(plan.left())
                .containsExactly(
                        new Note("lease odd (odd)", "is to be left behind"),
                        new Note("lease even", "is to be left behind, and is not there"));
    }

    @Test
    void a_host_that_two_leases_have_at_once_stands_in_the_way() {
        lease("one", "PENDING", 0, 2, whole("pending", "1"));
        lease("other", "PENDING", 1, 3, whole("pending", "1"));
        lease("next", "PENDING", 3, 4, whole("pending", "1"));
        assertThat(plan().obstacles())
                .singleElement()
                .satisfies(
                        note -> {
                            assertThat(note.about()).contains("(other)");
                            assertThat(note.text()).contains("compute-1", "(one)");
                        });
    }

    @Test
    void a_host_that_is_to_be_cleaned_between_two_leases_has_to_be_free_for_so_long() {
        lease("one", "PENDING", 0, 1, whole("pending", "1"));
        lease("next", "PENDING", 1, 2, whole("pending", "1"));
        assertThat(plan().obstacles()).isEmpty();
        assertThat(plan(Duration.ofMinutes(1), Set.of(), "").obstacles())
                .singleElement()
                .satisfies(note -> assertThat(note.text()).contains("cleaning time of PT1M"));
    }

    @Test
    void a_host_that_is_promised_beyond_what_it_has_stands_in_the_way() {
        // It has 8 cores, a slot takes 2.
        lease("two", "PENDING", 0, 4, slots("pending", "1", "1"));
        lease("more", "PENDING", 1, 2, slots("pending", "1", "1"));
        assertThat(plan().obstacles()).isEmpty();
        lease("later", "PENDING", 3, 4, slots("pending", "1", "1"));
        assertThat(plan().obstacles()).isEmpty();
        lease("too many", "PENDING", 0, 2, slots("pending", "1"));
        assertThat(plan().obstacles())
                .containsExactly(
                        new Note(
                                "lease %s (too many)".formatted(leases.getLast().id()),
                                "takes physical:host compute-1 beyond what it has: 10 of 8 VCPU"));
    }

    @Test
    void a_host_is_not_shared_with_whoever_has_it_alone() {
        lease("whole", "PENDING", 0, 2, whole("pending", "1"));
        lease("slots", "PENDING", 1, 3, slots("pending", "1"));
        assertThat(plan().obstacles()).hasSize(1);
    }

    @Test
    void a_lease_that_is_changing_stands_in_the_way_unless_it_is_left_behind() {
        for (String status :
                List.of("CREATING", "STARTING", "UPDATING", "TERMINATING", "DELETING")) {
            leases.clear();
            lease("busy", status, 0, 1, whole("pending", "1"));
            assertThat(plan().obstacles()).hasSize(1);
            Plan without = plan(Duration.ZERO, Set.of(leases.getFirst().id()), "");
            assertThat(without.obstacles()).isEmpty();
            assertThat(without.leases()).isEmpty();
            assertThat(without.left()).hasSize(1);
        }
    }

    @Test
    void a_lease_whose_start_failed_comes_as_one_that_did() {
        lease("broken", "ERROR", "ERROR UNDONE", 0, 1, whole("error", "1"), whole("active", "2"));
        LeasePast past = past();
        assertThat(past.stage()).isEqualTo(Stage.FAILED);
        assertThat(past.explanation()).isNotNull();
        assertThat(past.reservations())
                .extracting(LeasePast.OfReservation::stage)
                .containsExactly(Stage.FAILED, Stage.ACTIVE);
    }

    @Test
    void of_a_start_that_broke_off_everything_may_be_in_the_cloud() {
        lease("broken", "ERROR", "ERROR UNDONE", 0, 1, whole("pending", "1"));
        assertThat(past().reservations().getFirst().stage()).isEqualTo(Stage.FAILED);
    }

    @Test
    void a_lease_in_error_of_which_nothing_is_wrong_comes_well() {
        lease("changed", "ERROR", "DONE UNDONE", 0, 1, whole("active", "1"));
        Plan plan = plan();
        assertThat(plan.leases().getFirst().past().stage()).isEqualTo(Stage.ACTIVE);
        assertThat(plan.changed()).hasSize(1);
    }

    @Test
    void a_reservation_that_has_nothing_stands_in_the_way() {
        lease("lost", "ACTIVE", 0, 1, whole("active"));
        assertThat(plan().obstacles()).hasSize(1);
    }

    @Test
    void what_is_over_is_left_behind_if_it_cannot_come_and_holds_nothing_if_it_does() {
        lease("over", "TERMINATED", 0, 1, whole("deleted", "1"));
        lease("odd", "TERMINATED", 0, 1, unknown("deleted"));
        Plan plan = plan();
        assertThat(plan.obstacles()).isEmpty();
        assertThat(plan.left()).hasSize(1);
        assertThat(plan.leases().getFirst().places().getFirst().slots()).isEmpty();
    }

    @Test
    void a_kind_without_a_plugin_stands_in_the_way() {
        lease("net", "PENDING", 0, 1, unknown("pending"));
        assertThat(plan().obstacles())
                .extracting(Note::text)
                .containsExactly("no plugin is switched on for network");
    }

    @Test
    void an_event_of_the_users_own_is_left_behind() {
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
        assertThat(plan().left())
                .extracting(Note::text)
                .containsExactly("its event party at 2030-01-01T12:00:00Z");
    }

    private LeasePast past() {
        Plan plan = plan();
        assertThat(plan.obstacles()).isEmpty();
        return plan.leases().getFirst().past();
    }

    private Plan plan() {
        return plan(Duration.ZERO, Set.of(), "");
    }

    private Plan plan(Duration cleaning, Set<String> without, String beforeEnd) {
        return Planner.plan(
                new Blazar("x", hosts, List.of(), List.of(), leases),
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

    private void lease(String name, String status, int from, int to, Reservation... its) {
        String events =
                switch (status) {
                    case "ACTIVE" -> "DONE UNDONE";
                    case "TERMINATED" -> "DONE DONE";
                    default -> "UNDONE UNDONE";
                };
        lease(name, status, events, from, to, its);
    }

    /** Adds a lease, with hours from noon on; the events have the given statuses. */
    private void lease(
            String name, String status, String events, int from, int to, Reservation... its) {
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
                        List.of(its),
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
            return Optional.ofNullable(KINDS.get(kind)).map(its -> new PlansOnly(kind, its));
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
