package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.audit.AuditTrail;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The resources of a search, by a number, or by a name that several may have had. */
record ResourceNameResolver(AuditTrail trail, PluginFacade kinds) {

    /**
     * Returns the resources that match all conditions; null if there is no condition.
     *
     * @param host the name of hosts
     * @param name the name of resources of a kind, or of any kind if none is given
     */
    @Nullable Set<ResourceId> resolve(
            @Nullable Long number,
            @Nullable String host,
            @Nullable String name,
            @Nullable String kind) {
        return Stream.of(
                        number == null ? null : Set.of(new ResourceId(number)),
                        host == null ? null : findNamed("host", ResourceKind.PHYSICAL_HOST, host),
                        name == null ? null : findNamed("resource_name", kind(kind), name))
                .filter(Objects::nonNull)
                .reduce(ResourceNameResolver::intersect)
                .orElse(null);
    }

    private @Nullable ResourceKind kind(@Nullable String kind) {
        return kind == null ? null : kinds.kind("kind", kind);
    }

    private Set<ResourceId> findNamed(String field, @Nullable ResourceKind kind, String name) {
        Set<ResourceId> found = trail.findResourcesNamed(kind, name);
        if (found.isEmpty()) {
            throw new ProblemException(
                    Problem.ofField(field, "is no name that one ever had: " + name));
        }
        return found;
    }

    private static Set<ResourceId> intersect(Set<ResourceId> one, Set<ResourceId> other) {
        Set<ResourceId> both = new HashSet<>(one);
        both.retainAll(other);
        return both;
    }
}
