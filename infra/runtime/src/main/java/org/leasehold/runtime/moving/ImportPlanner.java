package org.leasehold.runtime.moving;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.CapabilityNameValidator;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.PropertyVisibility;
import org.leasehold.inventory.ResourceCommand.EnrolResource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.floatingip.FloatingIp;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** Plans the import of all rows of Blazar. It is pure and reads neither of the two databases. */
final class ImportPlanner {

    /** A host's id. All numbers up to the highest id are taken from the sequence, one by one. */
    private static final Pattern HOST_ID = Pattern.compile("0*[1-9][0-9]{0,5}");

    /** A placeholder; the enrolment gets its number later. */
    private static final ResourceId PLACEHOLDER_ID = new ResourceId(Long.MAX_VALUE);

    private final BlazarSnapshot blazar;
    private final Set<String> excludedLeases;
    private final Duration cleaning;
    private final String beforeEnd;
    private final Plugins plugins;
    private final ImportPlan plan = new ImportPlan();

    private ImportPlanner(
            BlazarSnapshot blazar,
            Set<String> without,
            Duration cleaning,
            String beforeEnd,
            Plugins plugins) {
        this.blazar = blazar;
        this.excludedLeases = Set.copyOf(without);
        this.cleaning = cleaning;
        this.beforeEnd = beforeEnd;
        this.plugins = plugins;
    }

    /**
     * Plans everything.
     *
     * @param without the ids of leases that an operator wants to leave behind
     * @param cleaning the cleaning time of resources in this engine
     * @param beforeEnd the meaning of {@code default} in Blazar, for a reservation's action before
     *     its end; empty for no action
     */
    static ImportPlan plan(
            BlazarSnapshot blazar,
            Set<String> without,
            Duration cleaning,
            String beforeEnd,
            Plugins plugins) {
        return new ImportPlanner(blazar, without, cleaning, beforeEnd, plugins).plan();
    }

    private ImportPlan plan() {
        Map<String, String> hosts = new HashMap<>();
        blazar.hosts().forEach(host -> add(host, hosts));
        Map<String, String> ips = new HashMap<>();
        blazar.floatingIps().forEach(ip -> add(ip, ips));
        blazar.properties().stream()
                .filter(BlazarSnapshot.Property::hidden)
                .forEach(
                        property ->
                                plan.addHidden(
                                        new PropertyVisibility(
                                                new ResourceKind(property.kind()),
                                                property.name(),
                                                true)));
        LeaseImportPlanner leases = new LeaseImportPlanner(plan, plugins, hosts, ips, beforeEnd);
        Set<String> unknown = new TreeSet<>(excludedLeases);
        for (BlazarSnapshot.Lease lease : blazar.leases()) {
            if (unknown.remove(lease.id())) {
                plan.addOmission(LeaseImportPlanner.describe(lease), "is to be left behind");
            } else {
                leases.add(lease);
            }
        }
        unknown.forEach(
                id -> plan.addOmission("lease " + id, "is to be left behind, and is not there"));
        new ImportConflicts(plan, cleaning).reportConflicts();
        return plan;
    }

    private void add(BlazarSnapshot.Host host, Map<String, String> names) {
        String about = "host " + host.id();
        @Nullable String name = host.name();
        if (name == null || name.isBlank() || !HOST_ID.matcher(host.id()).matches()) {
            plan.addObstacle(about, "has no name, or an id that is no number below a million");
            return;
        }
        if (plan.find(ResourceKind.PHYSICAL_HOST, name).isPresent()) {
            plan.addObstacle(about, "is called %s, as another one is".formatted(name));
            return;
        }
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(host.attributes());
        host.traits().forEach(trait -> attributes.put(trait, true));
        Map<String, String> capabilities = new TreeMap<>();
        BiConsumer<String, String> say =
                (key, value) -> {
                    boolean fits =
                            CapabilityNameValidator.firstInvalid(Set.of(key), attributes.keySet())
                                    .isEmpty();
                    if (!fits
                            || capabilities.putIfAbsent(PropertyName.withoutScope(key), value)
                                    != null) {
                        plan.addOmission(about, "its capability " + key + " = " + value);
                    }
                };
        host.inventory().forEach((resourceClass, amount) -> say.accept(resourceClass, "" + amount));
        host.capabilities().forEach(say);
        names.put(host.id(), name);
        plan.add(
                new ImportPlan.Newcomer(
                        new EnrolResource(
                                new ResourceId(Long.parseLong(host.id())),
                                ResourceKind.PHYSICAL_HOST,
                                name,
                                null,
                                host.zone().isEmpty() ? null : host.zone(),
                                attributes,
                                capabilities),
                        true,
                        host.reservable()));
    }

    private void add(BlazarSnapshot.FloatingIp ip, Map<String, String> names) {
        Optional<FloatingIp> known = FloatingIp.of(ip.network(), ip.address());
        String about = "floating IP " + ip.id();
        if (known.isEmpty()) {
            plan.addObstacle(about, ip.address() + " is no address of a network");
            return;
        }
        if (plan.find(ResourceKind.FLOATING_IP, known.get().name()).isPresent()) {
            plan.addObstacle(about, "is at %s, as another one is".formatted(ip.address()));
            return;
        }
        names.put(ip.id(), known.get().name());
        plan.addChange(about, "gets another id; its address " + ip.address() + " stays");
        plan.add(
                new ImportPlan.Newcomer(
                        new EnrolResource(
                                PLACEHOLDER_ID,
                                ResourceKind.FLOATING_IP,
                                known.get().name(),
                                null,
                                null,
                                known.get().attributes(ip.subnet()),
                                Map.of()),
                        false,
                        ip.reservable()));
    }
}
