package org.leasehold.resource.openstack.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Discovery.Found;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.ParallelCalls;
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
import java.util.function.UnaryOperator;

/**
 * The properties of hosts: Nova's data, and their traits in Placement, each of which is a property
 * of its name. In a cloud without Placement hosts have no traits.
 */
final class HostDescriptions {

    private static final Logger LOG = LoggerFactory.getLogger(HostDescriptions.class);

    /** A trait that depends on the compute service's state. */
    private static final String DISABLED_TRAIT = "COMPUTE_STATUS_DISABLED";

    /** The statuses without read access, or traits in an old Placement: hosts work without them. */
    private static final Set<Integer> NO_ACCESS_STATUSES = Set.of(403, 406);

    private static final Traits NO_TRAITS = new Traits(-1, Set.of());

    private final Placement placement;
    private final ParallelCalls parallelCalls;
    private final @Nullable String region;

    /**
     * Traits by provider. Most have not changed since the last query, and need no request. Each new
     * or deleted server is a change, too.
     */
    private final Map<String, Traits> traitCache = new ConcurrentHashMap<>();

    HostDescriptions(Placement placement, ParallelCalls sideBySide, @Nullable String region) {
        this.placement = placement;
        this.parallelCalls = sideBySide;
        this.region = region;
    }

    Found describe(Hypervisor hypervisor, UnaryOperator<String> zones) {
        return toFound(hypervisor, zones, traits(hypervisor.id()));
    }

    /**
     * Returns descriptions by name, with zones by the hosts of compute services. Hosts that
     * Placement does not list, or for which it does not respond, are absent: they have not lost
     * their traits.
     */
    Map<String, Found> describe(Collection<Hypervisor> hypervisors, UnaryOperator<String> zones) {
        Map<String, Traits> traits = traits(hypervisors.stream().map(Hypervisor::id).toList());
        Map<String, Found> found = new HashMap<>();
        for (Hypervisor hypervisor : hypervisors) {
            @Nullable Traits hostTraits = traits.get(hypervisor.id());
            if (hostTraits != null) {
                found.put(hypervisor.name(), toFound(hypervisor, zones, hostTraits));
            }
        }
        return found;
    }

    /** Returns traits by the hypervisor's id, which is the provider's. */
    private Map<String, Traits> traits(List<String> ids) {
        Map<String, Traits> traits = new ConcurrentHashMap<>();
        try {
            Optional<Map<String, Long>> generations = queryPlacement(placement::generations);
            if (generations.isEmpty()) {
                ids.forEach(id -> traits.put(id, NO_TRAITS));
                return traits;
            }
            traitCache.keySet().retainAll(generations.get().keySet());
            List<String> changed = new ArrayList<>();
            for (String id : ids) {
                @Nullable Long generation = generations.get().get(id);
                Traits had = traitCache.getOrDefault(id, NO_TRAITS);
                if (generation != null && generation == had.generation()) {
                    traits.put(id, had);
                } else if (generation != null) {
                    changed.add(id);
                }
            }
            // If one fails, the results of the others are stored already.
            parallelCalls.forEach(
                    changed,
                    id -> {
                        Traits hostTraits = traits(id);
                        traitCache.put(id, hostTraits);
                        traits.put(id, hostTraits);
                    });
        } catch (CloudFailure failure) {
            LOG.atWarn().log("The properties of hosts could not be read: {}", failure.getMessage());
        }
        return traits;
    }

    private Traits traits(String provider) {
        return queryPlacement(() -> placement.traits(provider)).orElse(NO_TRAITS);
    }

    /** Returns Placement's response; empty if the engine must work without it. */
    private <T> Optional<T> queryPlacement(Supplier<T> question) {
        if (!placement.isAvailable()) {
            return Optional.empty();
        }
        try {
            return Optional.of(question.get());
        } catch (CloudFailure failure) {
            if (NO_ACCESS_STATUSES.contains(failure.status())) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private Found toFound(Hypervisor hypervisor, UnaryOperator<String> zones, Traits traits) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(hypervisor.attributes());
        for (String trait : new TreeSet<>(traits.names())) {
            if (!trait.equals(DISABLED_TRAIT)) {
                attributes.put(trait, true);
            }
        }
        return new Found(hypervisor.name(), region, zones.apply(hypervisor.host()), attributes);
    }
}
