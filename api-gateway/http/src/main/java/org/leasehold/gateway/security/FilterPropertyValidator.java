package org.leasehold.gateway.security;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.PropertyName;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.resource.PropertyNames;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.readmodel.resource.Resources.ResourceProperty;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Planning.Filter;
import org.leasehold.resource.Plugins;

import java.util.Comparator;
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

    private static final int MAX_SUGGESTIONS = 3;

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
     * @param message a sentence for the user
     */
    public record Misnamed(String field, String message) {}

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
        return unknownNameError(caller, filter.kind(), filter.requirement().properties(), Set.of())
                .map(message -> new Misnamed(filter.field(), message));
    }

    /** Returns the error for names that no resource ever had; empty if there is none. */
    public Optional<String> neverKnownError(Caller caller, ResourceKind kind, Set<String> used) {
        return unknownNameError(caller, kind, used, Set.of()).isEmpty()
                ? Optional.empty()
                : unknownNameError(caller, kind, used, recordedNames(kind));
    }

    private Set<String> recordedNames(ResourceKind kind) {
        return resources.properties(kind).stream()
                .map(ResourceProperty::name)
                .collect(Collectors.toSet());
    }

    private Optional<String> unknownNameError(
            Caller caller, ResourceKind kind, Set<String> used, Set<String> further) {
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
                .map(name -> message(kind, name, known));
    }

    /** Returns whether a name is for the free part: {@code free_vcpus} of {@code vcpus}. */
    private static boolean isFreePart(String name, Set<String> known) {
        return !PropertyName.withoutFreePrefix(name).equals(name)
                && known.contains(PropertyName.withoutFreePrefix(name));
    }

    private static String message(ResourceKind kind, String name, Set<String> known) {
        String what = kind.value().substring(kind.value().indexOf(':') + 1);
        List<String> close = suggestions(name, known);
        return "no %s has a property %s%s"
                .formatted(
                        what,
                        name,
                        close.isEmpty()
                                ? ""
                                : "; did you mean " + String.join(" or ", close) + "?");
    }

    private static List<String> suggestions(String name, Set<String> known) {
        int furthest = Math.max(1, Math.min(3, name.length() / 3));
        return known.stream()
                .filter(each -> Math.abs(each.length() - name.length()) <= furthest)
                .filter(each -> distance(name, each) <= furthest)
                .sorted(
                        Comparator.comparingInt((String each) -> distance(name, each))
                                .thenComparing(Comparator.naturalOrder()))
                .limit(MAX_SUGGESTIONS)
                .toList();
    }

    /** Returns the edit distance: letters to add, remove or replace. */
    private static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] now = new int[other.length() + 1];
            now[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                boolean same = one.charAt(i - 1) == other.charAt(j - 1);
                int replaced = before[j - 1] + (same ? 0 : 1);
                now[j] = Math.min(replaced, 1 + Math.min(before[j], now[j - 1]));
            }
            before = now;
        }
        return before[other.length()];
    }
}
