package org.leasehold.gateway.security;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.request.error.NearNames;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.PropertyNames;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.ResourceProperty;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Planning.Filter;
import org.leasehold.resource.Plugins;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks the names of properties in filters. A name that no resource has is a mistake. A name that
 * the caller may not see gets the same response, so that no caller can guess hidden names.
 */
public final class FilterPropertyValidator {

    private final PropertyNames names;
    private final Resources resources;
    private final PropertyRedaction redaction;
    private final Plugins plugins;

    public FilterPropertyValidator(
            PropertyNames names, Resources resources, PropertyRedaction hidden, Plugins plugins) {
        this.names = names;
        this.resources = resources;
        this.redaction = hidden;
        this.plugins = plugins;
    }

    /**
     * A parameter whose filter uses an unknown name.
     *
     * @param error a sentence for the user
     * @param near the visible names that are near the unknown one
     */
    public record Misnamed(String field, String error, List<String> near) {

        /** Returns the error with suggestions. */
        public String message() {
            return error + NearNames.suggestion(near);
        }

        /** Returns the message on {@code /v1}, which has no quotation marks. */
        public String blazarMessage() {
            return error + NearNames.suggestion(near).replace("\"", "");
        }
    }

    /**
     * Returns the first parameter of a request whose filter uses an unknown name. A filter that a
     * change leaves as it is is not checked: its property may have gone meanwhile.
     *
     * @param present the parameters of the reservation that changes; nothing for a new one
     */
    public Optional<Misnamed> findUnknownProperty(
            Caller caller,
            ResourceKind kind,
            Map<String, @Nullable Object> parameters,
            Map<String, @Nullable Object> present) {
        return plugins.find(kind)
                .flatMap(
                        plugin -> {
                            Planning planning = plugin.planning();
                            List<Filter> before = planning.filters(present);
                            return planning.filters(parameters).stream()
                                    .filter(filter -> !before.contains(filter))
                                    .flatMap(filter -> misnamed(caller, filter).stream())
                                    .findFirst();
                        });
    }

    private Optional<Misnamed> misnamed(Caller caller, Filter filter) {
        return findMisnamed(
                caller, filter.field(), filter.kind(), filter.requirement().properties(), Set.of());
    }

    /** Returns the error for names that no resource ever had; empty if there is none. */
    public Optional<String> neverKnownError(Caller caller, ResourceKind kind, Set<String> used) {
        return findMisnamed(caller, "", kind, used, Set.of()).isEmpty()
                ? Optional.empty()
                : findMisnamed(caller, "", kind, used, recordedNames(kind)).map(Misnamed::message);
    }

    private Set<String> recordedNames(ResourceKind kind) {
        return resources.properties(kind).stream()
                .map(ResourceProperty::name)
                .collect(Collectors.toSet());
    }

    private Optional<Misnamed> findMisnamed(
            Caller caller, String field, ResourceKind kind, Set<String> used, Set<String> further) {
        if (used.isEmpty()) {
            return Optional.empty();
        }
        Set<String> known = new TreeSet<>(names.findKnown(kind, used));
        if (known.isEmpty()) {
            // No resource of the kind exists: that is the answer, with any filter.
            return Optional.empty();
        }
        known.addAll(further);
        known.removeIf(redaction.hiddenFrom(caller, kind));
        return used.stream()
                .filter(name -> !known.contains(name) && !isFreePart(name, known))
                .findFirst()
                .map(name -> misnamed(field, kind, name, known));
    }

    /** Returns whether a name is for the free part: {@code free_vcpus} of {@code vcpus}. */
    private static boolean isFreePart(String name, Set<String> known) {
        return !PropertyName.withoutFreePrefix(name).equals(name)
                && known.contains(PropertyName.withoutFreePrefix(name));
    }

    private static Misnamed misnamed(
            String field, ResourceKind kind, String name, Set<String> known) {
        String what = kind.value().substring(kind.value().indexOf(':') + 1);
        return new Misnamed(
                field,
                "no %s has a property %s".formatted(what, name),
                NearNames.find(name, known));
    }
}
