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
 * The properties of hosts: Nova's data, and their traits in Placement, each of which is a property
 * of its name. In a cloud without Placement hosts have no traits.
 */
final class Descriptions {

    private static final Logger LOG = LoggerFactory.getLogger(Descriptions.class);

    /** A trait that depends on the compute service's state. */
    private static final String OUT_OF_SERVICE = "COMPUTE_STATUS_DISABLED";

    /** The statuses without read access, or traits in an old Placement: hosts work without them. */
    private static final Set<Integer> CLOSED = Set.of(403, 406);

    private static final Traits NONE = new Traits(-1, Set.of());

    private final Placement placement;
    private final SideBySide sideBySide;
    private final @Nullable String region;

    /**
     * Traits by provider. Most have not changed since the last query, and need no request. Each new
     * or deleted server is a change, too.
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
     * Returns descriptions by name. Hosts that Placement does not list, or for which it does not
     * respond, are absent: they have not lost their traits.
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

    /** Returns traits by the hypervisor's id, which is the provider's. */
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
            // If one fails, the results of the others are stored already.
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

    /** Returns Placement's response; empty if the engine must work without it. */
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
