package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Discovery.Found;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.Placement.Traits;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What hosts are like: what Nova says of them, and which traits Placement knows them to have, each
 * of which is an attribute of its name. In a cloud without Placement they have none.
 */
final class Descriptions {

    /** Comes and goes with the compute service. */
    private static final String OUT_OF_SERVICE = "COMPUTE_STATUS_DISABLED";

    private static final Traits NONE = new Traits(-1, Set.of());

    private final Placement placement;
    private final SideBySide sideBySide;
    private final @Nullable String region;

    /** By provider. Of most nothing has changed since the last look, and they need not be asked. */
    private volatile Map<String, Traits> known = Map.of();

    Descriptions(Placement placement, SideBySide sideBySide, @Nullable String region) {
        this.placement = placement;
        this.sideBySide = sideBySide;
        this.region = region;
    }

    Found of(Hypervisor hypervisor) {
        return found(hypervisor, placement.isThere() ? placement.traits(hypervisor.id()) : NONE);
    }

    /** By name. */
    Map<String, Found> of(Collection<Hypervisor> hypervisors) {
        Map<String, Traits> traits = placement.isThere() ? traits(hypervisors) : Map.of();
        Map<String, Found> found = new HashMap<>();
        hypervisors.forEach(
                each -> found.put(each.name(), found(each, traits.getOrDefault(each.id(), NONE))));
        return found;
    }

    /** By id, which is the provider's. */
    private Map<String, Traits> traits(Collection<Hypervisor> hypervisors) {
        Map<String, Long> generations = placement.generations();
        List<String> ids =
                hypervisors.stream().map(Hypervisor::id).filter(generations::containsKey).toList();
        Map<String, Traits> before = known;
        Map<String, Traits> now = new HashMap<>();
        List<String> changed =
                ids.stream()
                        .filter(
                                id -> {
                                    Traits had = before.getOrDefault(id, NONE);
                                    now.put(id, had);
                                    return !Objects.equals(generations.get(id), had.generation());
                                })
                        .toList();
        List<Traits> answers = sideBySide.map(changed, placement::traits);
        for (int place = 0; place < changed.size(); place++) {
            now.put(changed.get(place), answers.get(place));
        }
        known = Map.copyOf(now);
        return now;
    }

    private Found found(Hypervisor hypervisor, Traits traits) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(hypervisor.attributes());
        for (String trait : new TreeSet<>(traits.names())) {
            if (!trait.equals(OUT_OF_SERVICE)) {
                attributes.put(trait, true);
            }
        }
        return new Found(hypervisor.name(), region, null, attributes);
    }
}
