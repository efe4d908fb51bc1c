package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Discovery.Found;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.SideBySide;
import org.leasehold.resource.openstack.compute.Hypervisor;
import org.leasehold.resource.openstack.placement.Placement;
import org.leasehold.resource.openstack.placement.Placement.Traits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What hosts are like: what Nova says of them, and which traits Placement knows them to have, each
 * of which is an attribute of its name. In a cloud without Placement they have none.
 */
final class Descriptions {

    private static final Logger LOG = LoggerFactory.getLogger(Descriptions.class);

    /** Comes and goes with the compute service. */
    private static final String OUT_OF_SERVICE = "COMPUTE_STATUS_DISABLED";

    /** The engine may not read, or Placement is too old to know traits: hosts can do without. */
    private static final Set<Integer> CLOSED = Set.of(403, 406);

    private static final Traits NONE = new Traits(-1, Set.of());

    private final Placement placement;
    private final SideBySide sideBySide;
    private final @Nullable String region;

    /**
     * By provider. Of most nothing has changed since the last look, and they need not be asked.
     * Each server that comes or goes is a change, too.
     */
    private final Map<String, Traits> known = new ConcurrentHashMap<>();

    Descriptions(Placement placement, SideBySide sideBySide, @Nullable String region) {
        this.placement = placement;
        this.sideBySide = sideBySide;
        this.region = region;
    }

    Found of(Hypervisor hypervisor) {
        return found(hypervisor, traits(hypervisor.id()));
    }

    /**
     * By name. Hosts of which Placement does not answer, or that it does not list, are left out:
     * they have not lost their traits.
     */
    Map<String, Found> of(Collection<Hypervisor> hypervisors) {
        Map<String, Traits> traits = traits(hypervisors.stream().map(Hypervisor::id).toList());
        Map<String, Found> found = new HashMap<>();
        for (Hypervisor hypervisor : hypervisors) {
            @Nullable Traits its = traits.get(hypervisor.id());
            if (its != null) {
                found.put(hypervisor.name(), found(hypervisor, its));
            }
        }
        return found;
    }

    /** By id, which is the provider's. */
    private Map<String, Traits> traits(List<String> ids) {
        Map<String, Traits> traits = new ConcurrentHashMap<>();
        try {
            Optional<Map<String, Long>> generations = ask(placement::generations);
            if (generations.isEmpty()) {
                ids.forEach(id -> traits.put(id, NONE));
                return traits;
            }
            known.keySet().retainAll(generations.get().keySet());
            List<String> changed = new ArrayList<>();
            for (String id : ids) {
                @Nullable Long generation = generations.get().get(id);
                Traits had = known.getOrDefault(id, NONE);
                if (generation != null && generation == had.generation()) {
                    traits.put(id, had);
                } else if (generation != null) {
                    changed.add(id);
                }
            }
            // What the others have told is there already when one of them fails.
            sideBySide.each(
                    changed,
                    id -> {
                        Traits its = traits(id);
                        known.put(id, its);
                        traits.put(id, its);
                    });
        } catch (CloudFailure failure) {
            LOG.atWarn()
                    .log("The cloud does not tell what hosts are like: {}", failure.getMessage());
        }
        return traits;
    }

    private Traits traits(String provider) {
        return ask(() -> placement.traits(provider)).orElse(NONE);
    }

    /** What Placement answers; empty if the engine has to do without it. */
    private <T> Optional<T> ask(Supplier<T> question) {
        if (!placement.isThere()) {
            return Optional.empty();
        }
        try {
            return Optional.of(question.get());
        } catch (CloudFailure failure) {
            if (CLOSED.contains(failure.status())) {
                return Optional.empty();
            }
            throw failure;
        }
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
