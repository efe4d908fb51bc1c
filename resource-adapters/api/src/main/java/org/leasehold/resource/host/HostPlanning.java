package org.leasehold.resource.host;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Selection;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.Planning;
import org.leasehold.resource.parameter.IntegerParameter;
import org.leasehold.resource.parameter.InvalidParameters;
import org.leasehold.resource.parameter.ParameterChanges;
import org.leasehold.resource.requirement.RequirementParser;
import org.leasehold.resource.requirement.RequirementParser.Reading;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plans reservations of whole hosts. Checks come in Blazar's order and use its messages, because
 * clients match them.
 *
 * <p>In addition to Blazar's parameters, {@code selection} may be {@code first_fit} (the default)
 * or {@code spread}. Unknown parameters are ignored.
 */
public final class HostPlanning implements Planning {

    /** The most hosts that one reservation may request. */
    public static final int MAX_HOSTS = 10_000;

    static final String MIN = "min";
    static final String MAX = "max";
    static final String HYPERVISOR_PROPERTIES = "hypervisor_properties";
    static final String RESOURCE_PROPERTIES = "resource_properties";
    static final String BEFORE_END = "before_end";
    static final String SELECTION = "selection";

    private static final Set<String> CHANGEABLE =
            Set.of(MIN, MAX, HYPERVISOR_PROPERTIES, RESOURCE_PROPERTIES);
    static final List<String> BEFORE_END_ACTIONS = List.of("", "default", "snapshot");
    static final Map<String, Selection> SELECTIONS =
            Map.of("first_fit", Selection.FIRST_FIT, "spread", Selection.SPREAD);

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        return validate(parameters)
                .<Plan>map(found -> found)
                .orElseGet(() -> withFilters(parameters));
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        Map<String, @Nullable Object> changed =
                ParameterChanges.apply(current, changes, CHANGEABLE);
        return switch (plan(changed)) {
            case Plan.Invalid invalid -> invalid;
            case Plan.Planned planned ->
                    running ? requireSameFilters(current, changes, planned) : planned;
        };
    }

    /** Rejects another filter, which could remove hosts on which the project's servers run. */
    private Plan requireSameFilters(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            Plan.Planned planned) {
        boolean sameHostsFit =
                plan(current) instanceof Plan.Planned before
                        && before.demand().requirement().equals(planned.demand().requirement());
        if (sameHostsFit) {
            return planned;
        }
        String field =
                changes.containsKey(HYPERVISOR_PROPERTIES)
                        ? HYPERVISOR_PROPERTIES
                        : RESOURCE_PROPERTIES;
        return new Plan.Invalid(
                field, "Cannot change " + field + " of a reservation that has already started");
    }

    @Override
    public List<Filter> filters(Map<String, @Nullable Object> parameters) {
        return RequirementParser.filters(
                ResourceKind.PHYSICAL_HOST, parameters, HYPERVISOR_PROPERTIES, RESOURCE_PROPERTIES);
    }

    @Override
    public Map<String, @Nullable Object> defaults() {
        return Map.of(HYPERVISOR_PROPERTIES, "", RESOURCE_PROPERTIES, "");
    }

    @Override
    public boolean showsIdsFromStart(Map<String, @Nullable Object> parameters) {
        return true;
    }

    @Override
    public boolean replacesFailedResources() {
        return true;
    }

    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (String name :
                List.of(MIN, MAX, HYPERVISOR_PROPERTIES, RESOURCE_PROPERTIES, BEFORE_END)) {
            fields.put(name, wish.parameters().get(name));
        }
        // The cloud assigns the id when it creates the aggregate.
        fields.put("aggregate_id", null);
        return fields;
    }

    @Override
    public KindDescription description() {
        return PhysicalHostSchema.DESCRIPTION;
    }

    @Override
    public String plural() {
        return "hosts";
    }

    private static Optional<Plan.Invalid> validate(Map<String, @Nullable Object> parameters) {
        return InvalidParameters.withoutValue(parameters, MIN)
                .or(() -> validateCount(parameters, MIN))
                .or(() -> InvalidParameters.withoutValue(parameters, MAX))
                .or(() -> validateCount(parameters, MAX))
                .or(() -> validateRange(parameters))
                .or(() -> InvalidParameters.absent(parameters, HYPERVISOR_PROPERTIES))
                .or(() -> InvalidParameters.absent(parameters, RESOURCE_PROPERTIES))
                .or(() -> validateBeforeEnd(parameters))
                .or(() -> validateSelection(parameters));
    }

    private static Optional<Plan.Invalid> validateCount(
            Map<String, @Nullable Object> parameters, String name) {
        Optional<BigInteger> count = IntegerParameter.of(parameters.get(name));
        if (count.isEmpty()) {
            return InvalidParameters.malformed(name);
        }
        return count.filter(number -> number.compareTo(BigInteger.valueOf(MAX_HOSTS)) > 0)
                .flatMap(
                        _ ->
                                InvalidParameters.malformed(
                                        name, "must be less than or equal to " + MAX_HOSTS));
    }

    private static Optional<Plan.Invalid> validateRange(Map<String, @Nullable Object> parameters) {
        int min = count(parameters, MIN);
        int max = count(parameters, MAX);
        if (min <= 0 || max <= 0) {
            return Optional.of(
                    new Plan.Invalid(
                            min <= 0 ? MIN : MAX,
                            "Malformed parameter min and max (must be greater than or equal to"
                                    + " 1)"));
        }
        return max < min
                ? Optional.of(
                        new Plan.Invalid(
                                MAX,
                                "Invalid values for min/max of hosts. Max must be equal to or"
                                        + " larger than min."))
                : Optional.empty();
    }

    private static Optional<Plan.Invalid> validateBeforeEnd(
            Map<String, @Nullable Object> parameters) {
        return parameters.getOrDefault(BEFORE_END, "default") instanceof String action
                        && BEFORE_END_ACTIONS.contains(action)
                ? Optional.empty()
                : InvalidParameters.malformed(BEFORE_END);
    }

    private static Optional<Plan.Invalid> validateSelection(
            Map<String, @Nullable Object> parameters) {
        return parameters.getOrDefault(SELECTION, "first_fit") instanceof String selection
                        && SELECTIONS.containsKey(selection)
                ? Optional.empty()
                : InvalidParameters.malformed(SELECTION);
    }

    private static Plan withFilters(Map<String, @Nullable Object> parameters) {
        return switch (filter(parameters, HYPERVISOR_PROPERTIES)) {
            case Reading.Malformed(String message) ->
                    new Plan.Invalid(HYPERVISOR_PROPERTIES, message);
            case Reading.Understood(Requirement hypervisor) ->
                    switch (filter(parameters, RESOURCE_PROPERTIES)) {
                        case Reading.Malformed(String message) ->
                                new Plan.Invalid(RESOURCE_PROPERTIES, message);
                        case Reading.Understood(Requirement resource) ->
                                planned(parameters, hypervisor.and(resource));
                    };
        };
    }

    private static Plan planned(Map<String, @Nullable Object> parameters, Requirement requirement) {
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        normal.put(MIN, count(parameters, MIN));
        normal.put(MAX, count(parameters, MAX));
        normal.put(
                HYPERVISOR_PROPERTIES,
                RequirementParser.text(parameters.get(HYPERVISOR_PROPERTIES)));
        normal.put(
                RESOURCE_PROPERTIES, RequirementParser.text(parameters.get(RESOURCE_PROPERTIES)));
        normal.put(BEFORE_END, parameters.getOrDefault(BEFORE_END, "default"));
        String selection = String.valueOf(parameters.getOrDefault(SELECTION, "first_fit"));
        normal.put(SELECTION, selection);
        return new Plan.Planned(
                normal,
                new Demand.Whole(
                        ResourceKind.PHYSICAL_HOST,
                        count(parameters, MIN),
                        count(parameters, MAX),
                        requirement,
                        SELECTIONS.getOrDefault(selection, Selection.FIRST_FIT)));
    }

    private static Reading filter(Map<String, @Nullable Object> parameters, String name) {
        return RequirementParser.parse(RequirementParser.text(parameters.get(name)));
    }

    private static int count(Map<String, @Nullable Object> parameters, String name) {
        return IntegerParameter.of(parameters.get(name)).orElse(BigInteger.ZERO).intValue();
    }
}
