package org.leasehold.resource.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning.Nested;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.server.ComputeCapacity;
import org.leasehold.vocabulary.ReservationId;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class StackPlanningTest {

    private static final String STACK_ID = "0f3c1f6e-53a4-4a1c-9a49-8f0c6a0b8a11";
    private static final StackComponent WEB = server("web", "nova");
    private static final StackComponent DATA =
            StackComponent.volume("data", "OS::Cinder::Volume", "gold", 10);
    private static final StackComponent ADDRESS =
            StackComponent.floatingIp("address", "OS::Neutron::FloatingIP", "net-1");

    private final StackPlanning planning = new StackPlanning();

    private static StackComponent server(String name, String zone) {
        return StackComponent.server(
                name, "OS::Nova::Server", new ComputeCapacity(zone, 2, 4096, 20));
    }

    private static Map<String, @Nullable Object> wish(StackComponent... parts) {
        Map<String, @Nullable Object> wish = new HashMap<>();
        wish.put("template", Map.of("resources", Map.of()));
        wish.put("stack", new StackDescription("", List.of(parts)).attributes());
        return wish;
    }

    private Plan.Planned planned(Map<String, @Nullable Object> wish) {
        return (Plan.Planned) planning.plan(wish);
    }

    private static Demand needing(
            ResourceKind kind, Requirement requirement, Map<String, Long> needs) {
        return new Demand.Shared(kind, 1, needs, requirement, Demand.Spread.TOGETHER);
    }

    private static Requirement is(String property, String value) {
        return new Requirement.Comparison(Requirement.Operator.EQUAL, property, value);
    }

    private static Demand servers(Requirement where, long count) {
        return needing(
                ResourceKind.SERVER,
                where,
                Map.of("VCPU", 2 * count, "MEMORY_MB", 4096 * count, "DISK_GB", 20 * count));
    }

    @Test
    void the_demands_of_a_stack_are_summed_by_zone_type_and_network() {
        assertThat(
                        planned(
                                        wish(
                                                WEB,
                                                server("db", "nova"),
                                                server("far", "east"),
                                                DATA,
                                                StackComponent.volume(
                                                        "logs", "OS::Cinder::Volume", "gold", 5),
                                                ADDRESS))
                                .demands())
                .containsExactly(
                        servers(is("availability_zone", "nova"), 2),
                        servers(is("availability_zone", "east"), 1),
                        needing(
                                ResourceKind.VOLUME,
                                is("volume_type", "gold"),
                                Map.of("VOLUME_GB", 15L)),
                        needing(
                                ResourceKind.STACK,
                                is("network_id", "net-1"),
                                Map.of("FLOATING_IP", 1L)));
    }

    @Test
    void servers_without_a_zone_join_the_first_zone_or_share_any_zone() {
        assertThat(
                        planned(wish(server("a", ""), server("b", "east"), server("c", "west")))
                                .demands())
                .containsExactly(
                        servers(is("availability_zone", "east"), 2),
                        servers(is("availability_zone", "west"), 1));
        assertThat(planned(wish(server("a", ""), server("b", ""))).demands())
                .containsExactly(servers(Requirement.none(), 2));
    }

    @Test
    void a_stack_without_needs_has_a_demand_of_zero() {
        assertThat(planned(wish()).demands())
                .containsExactly(
                        needing(ResourceKind.SERVER, Requirement.none(), Map.of("VCPU", 0L)));
    }

    @Test
    void an_existing_stack_is_suspended_and_a_new_one_deleted_by_default() {
        Map<String, @Nullable Object> existing = new HashMap<>(wish(WEB));
        existing.remove("template");
        existing.put("stack_id", STACK_ID);

        assertThat(planned(existing).parameters()).containsEntry("on_end", "suspend");
        assertThat(planned(wish(WEB)).parameters()).containsEntry("on_end", "delete");
        assertThat(planning.preparesStart(existing)).isTrue();
        assertThat(planning.preparesStart(wish(WEB))).isFalse();
    }

    @Test
    void an_invalid_parameter_is_named() {
        assertInvalid(Map.of(), "template", "Missing parameter template");
        assertInvalid(
                Map.of("template", 1),
                "template",
                "Malformed parameter template (must be an object or a text)");
        assertInvalid(
                Map.of("template", "a", "parameters", "b"),
                "parameters",
                "Malformed parameter parameters (must be an object)");
        assertInvalid(
                Map.of("template", "a", "on_end", "explode"),
                "on_end",
                "Malformed parameter on_end (must be one of delete, suspend, keep)");
        assertInvalid(
                Map.of("template", "a", "on_end", "keep"),
                "on_end",
                "Malformed parameter on_end (a new stack is deleted or suspended)");
        assertInvalid(
                Map.of("stack_id", "mine"),
                "stack_id",
                "Malformed parameter stack_id (must be a stack's id)");
        assertInvalid(
                Map.of("stack_id", STACK_ID, "template", "a"),
                "template",
                "Malformed parameter template (the stack stack_id has its own)");
        assertInvalid(
                Map.of("stack_id", STACK_ID),
                "stack_id",
                "Stack " + STACK_ID + " could not be found.");
        assertInvalid(
                Map.of("template", "a"), "template", "Nobody has said what the template makes");
    }

    private void assertInvalid(
            Map<String, @Nullable Object> parameters, String field, String message) {
        assertThat(planning.plan(parameters)).isEqualTo(new Plan.Invalid(field, message));
    }

    @Test
    void a_change_before_the_start_replaces_the_demands() {
        Map<String, @Nullable Object> before = planned(wish(WEB, DATA)).parameters();

        assertThat(((Plan.Planned) planning.change(before, other(WEB), false)).demands())
                .containsExactly(servers(is("availability_zone", "nova"), 1));
    }

    /** Returns another template, which has these parts. */
    private static Map<String, @Nullable Object> other(StackComponent... parts) {
        Map<String, @Nullable Object> changes = new HashMap<>(wish(parts));
        changes.put("template", "another");
        return changes;
    }

    @Test
    void a_running_stack_gains_demands_and_keeps_existing_ones() {
        Map<String, @Nullable Object> before = planned(wish(WEB, DATA)).parameters();
        Plan.Planned changed =
                (Plan.Planned)
                        planning.change(before, other(WEB, server("db", "nova"), ADDRESS), true);

        assertThat(changed.demands())
                .containsExactlyInAnyOrder(
                        servers(is("availability_zone", "nova"), 2),
                        needing(
                                ResourceKind.VOLUME,
                                is("volume_type", "gold"),
                                Map.of("VOLUME_GB", 10L)),
                        needing(
                                ResourceKind.STACK,
                                is("network_id", "net-1"),
                                Map.of("FLOATING_IP", 1L)));
        // The same holds if it is requested again, and when it shrinks once more.
        assertThat(planned(changed.parameters())).isEqualTo(changed);
        assertThat(((Plan.Planned) planning.change(changed.parameters(), other(), true)).demands())
                .containsExactlyInAnyOrderElementsOf(changed.demands());
    }

    @Test
    void a_running_stack_without_a_zone_cannot_get_one() {
        Map<String, @Nullable Object> before = planned(wish(server("a", ""))).parameters();

        assertThat(planning.change(before, other(server("a", ""), server("b", "east")), true))
                .isInstanceOf(Plan.Invalid.class);
        assertThat(planning.change(before, other(server("b", "east")), true))
                .isInstanceOf(Plan.Invalid.class);
        assertThat(planning.change(before, other(server("b", "east")), false))
                .isInstanceOf(Plan.Planned.class);
    }

    @Test
    void a_running_stack_without_needs_can_gain_needs() {
        Map<String, @Nullable Object> before = planned(wish()).parameters();

        assertThat(((Plan.Planned) planning.change(before, other(WEB), true)).demands())
                .containsExactly(servers(is("availability_zone", "nova"), 1));
    }

    @Test
    void a_new_template_requires_a_description_of_the_stack() {
        Map<String, @Nullable Object> before = planned(wish(WEB)).parameters();

        assertThat(planning.change(before, Map.of("template", "another"), false))
                .isEqualTo(new Plan.Invalid("template", "Nobody has said what the template makes"));
    }

    @Test
    void new_parameters_adjust_a_stack_but_a_new_end_action_does_not() {
        Map<String, @Nullable Object> before = planned(wish(WEB)).parameters();
        Map<String, @Nullable Object> same = new HashMap<>(before);
        same.put("on_end", "suspend");
        Map<String, @Nullable Object> larger = new HashMap<>(before);
        larger.put("parameters", Map.of("size", 2));

        assertThat(planning.needsAdjustment(before, same)).isFalse();
        assertThat(planning.needsAdjustment(before, larger)).isTrue();
    }

    @Test
    void the_parts_of_a_stack_are_nested_reservations_with_stable_ids() {
        ReservationId id = new ReservationId(new UUID(1, 2));
        ReservationWish wish =
                new ReservationWish(
                        id, ResourceKind.STACK, planned(wish(WEB, DATA, ADDRESS)).parameters());

        List<Nested> nested = planning.nested(wish, Map.of("resources", Map.of("web", "id-1")));

        assertThat(nested)
                .extracting(Nested::kind)
                .containsExactly(
                        ResourceKind.SERVER, ResourceKind.VOLUME, ResourceKind.FLOATING_IP);
        assertThat(nested).extracting(Nested::id).doesNotHaveDuplicates().doesNotContain(id);
        assertThat(planning.nested(wish, Map.of("resources", Map.of("web", "id-1"))))
                .isEqualTo(nested);
        assertThat(nested.getFirst().fields())
                .containsEntry("availability_zone", "nova")
                .containsEntry("vcpus", 2L)
                .containsEntry("cloud_id", "id-1");
        assertThat(nested.get(1).fields())
                .containsEntry("volume_type", "gold")
                .containsEntry("size", 10L)
                .containsEntry("cloud_id", null);
        assertThat(nested.get(2).fields()).containsEntry("network_id", "net-1");
    }
}
