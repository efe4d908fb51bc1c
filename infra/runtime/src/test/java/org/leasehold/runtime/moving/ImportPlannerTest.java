package org.leasehold.runtime.moving;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.runtime.moving.BlazarSnapshot.Event;
import org.leasehold.runtime.moving.BlazarSnapshot.Host;
import org.leasehold.runtime.moving.BlazarSnapshot.Lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** The plan for hosts, and the messages about omissions. */
class ImportPlannerTest extends ImportPlannerFixture {

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

    @Test
    void an_unsupported_before_end_action_blocks_the_import() {
        lease("running", "ACTIVE", 0, 1, whole("active", "1"));
        assertThat(plan(Duration.ZERO, Set.of(), "photograph").obstacles())
                .singleElement()
                .satisfies(obstacle -> assertThat(obstacle.text()).contains("before_end"));
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
}
