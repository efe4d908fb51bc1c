package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.resource.Planning.Plan;
import org.leasehold.resource.server.ComputeCapacity;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Running stacks of some parts, whose template changes. */
abstract class StackReductionFixture {

    static final StackComponent WEB = server("web", "nova", 2);
    static final StackComponent FAR = server("far", "east", 2);
    static final StackComponent GOLD = volume("gold", "gold", 10);
    static final StackComponent SILVER = volume("silver", "silver", 5);
    static final StackComponent ADDRESS =
            StackComponent.floatingIp("address", "OS::Neutron::FloatingIP", "net-1");

    final StackPlanning planning = new StackPlanning();

    static StackComponent server(String name, String zone, int vcpus) {
        return StackComponent.server(
                name, "OS::Nova::Server", new ComputeCapacity(zone, vcpus, 1024, 1));
    }

    static StackComponent volume(String name, String type, long gib) {
        return StackComponent.volume(name, "OS::Cinder::Volume", type, gib);
    }

    /** Returns a request for a stack whose template has these parts. */
    static Map<String, @Nullable Object> wish(Map<String, ?> extra, StackComponent... parts) {
        Map<String, Object> resources = new HashMap<>();
        for (StackComponent part : parts) {
            resources.put(part.name(), Map.of("type", part.type()));
        }
        resources.putAll(extra);
        Map<String, @Nullable Object> wish = new HashMap<>();
        wish.put("template", Map.of("resources", resources));
        wish.put("stack", new StackDescription("", List.of(parts)).attributes());
        return wish;
    }

    Map<String, @Nullable Object> running(StackComponent... parts) {
        return running(Map.of(), parts);
    }

    Map<String, @Nullable Object> running(Map<String, ?> extra, StackComponent... parts) {
        return ((Plan.Planned) planning.plan(wish(extra, parts))).parameters();
    }

    Plan.Planned change(Map<String, @Nullable Object> before, StackComponent... parts) {
        return change(before, Map.of(), parts);
    }

    /**
     * Returns a change to a template that has these parts, and no other resource but an empty one.
     */
    Plan.Planned change(
            Map<String, @Nullable Object> before, Map<String, ?> extra, StackComponent... parts) {
        Map<String, Object> resources = new HashMap<>(extra);
        resources.put("x", Map.of());
        return (Plan.Planned) planning.change(before, wish(resources, parts), true);
    }

    /** Returns a template's volume that Heat keeps. */
    static Map<String, Object> kept(Map<String, ?> properties) {
        return volume("Retain", properties);
    }

    static Map<String, Object> volume(String policy, Map<String, ?> properties) {
        return Map.of("type", GOLD.type(), "deletion_policy", policy, "properties", properties);
    }

    static Map<String, @Nullable Object> with(
            Map<String, @Nullable Object> wish, Map<String, ?> values) {
        Map<String, @Nullable Object> changed = new HashMap<>(wish);
        changed.put("parameters", values);
        return changed;
    }

    /** Returns a request whose template creates the parts within one of its resources. */
    static Map<String, @Nullable Object> around(Map<String, ?> tier, StackComponent... parts) {
        Map<String, @Nullable Object> wish = wish(Map.of(), parts);
        wish.put("template", Map.of("resources", Map.of("tier", tier)));
        return wish;
    }

    /** Returns the change of a stack that runs with one request into one with another request. */
    Plan.Planned changed(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        Map<String, @Nullable Object> running = ((Plan.Planned) planning.plan(before)).parameters();
        return (Plan.Planned) planning.change(running, after, true);
    }

    Map<String, Long> amountsOf(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        return amounts(changed(before, after));
    }

    static Map<String, Object> group(int count, String type) {
        return Map.of(
                "type",
                "OS::Heat::ResourceGroup",
                "deletion_policy",
                "Retain",
                "properties",
                Map.of("count", count, "resource_def", Map.of("type", type)));
    }

    Optional<Plan.Planned> confirmed(Plan.Planned changed) {
        return planning.planConfirmed(changed.parameters());
    }

    /** Returns the amounts of the main resource class, by the location's name. */
    static Map<String, Long> amounts(Plan.Planned plan) {
        return plan.demands().stream()
                .map(Demand.Shared.class::cast)
                .collect(Collectors.toMap(StackReductionTest::at, StackReductionTest::amount));
    }

    static String at(Demand.Shared demand) {
        return demand.requirement() instanceof Comparison(_, _, String value) ? value : "";
    }

    static long amount(Demand.Shared demand) {
        return Stream.of("VCPU", "VOLUME_GB", "FLOATING_IP")
                .map(demand.needs()::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    static Map<String, Long> at(Object... placesAndAmounts) {
        Map<String, Long> amounts = new HashMap<>();
        for (int i = 0; i < placesAndAmounts.length; i += 2) {
            amounts.put(
                    placesAndAmounts[i].toString(),
                    ((Integer) placesAndAmounts[i + 1]).longValue());
        }
        return amounts;
    }
}
