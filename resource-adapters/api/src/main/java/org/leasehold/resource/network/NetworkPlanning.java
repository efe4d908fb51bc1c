package org.leasehold.resource.network;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.Planning;
import org.leasehold.resource.parameter.InvalidParameters;
import org.leasehold.resource.parameter.ParameterChanges;
import org.leasehold.resource.requirement.RequirementParser;
import org.leasehold.resource.requirement.RequirementParser.Reading;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Plans reservations of networks: each is one network on one segment. The parameters are those of
 * the Blazar fork that supports networks; others are ignored.
 */
public final class NetworkPlanning implements Planning {

    /** The longest name and the longest description that Neutron accepts. */
    public static final int MAX_TEXT_LENGTH = 255;

    static final String DESCRIPTION = "network_description";
    static final String NETWORK_PROPERTIES = "network_properties";
    static final String RESOURCE_PROPERTIES = "resource_properties";

    /** The name of the network. */
    public static final String NAME = "network_name";

    /** The prefix that marks the networks of reservations in the cloud; users must not set it. */
    static final String RESERVED_PREFIX = "reservation:";

    private static final List<String> NAMES =
            List.of(NAME, DESCRIPTION, NETWORK_PROPERTIES, RESOURCE_PROPERTIES);

    /** Returns the description of the network; empty for none. */
    public static String description(Map<String, @Nullable Object> parameters) {
        return text(parameters, DESCRIPTION);
    }

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        return InvalidParameters.withoutValue(parameters, NAME)
                .or(() -> validateName(parameters))
                .or(() -> validateDescription(parameters))
                .or(() -> InvalidParameters.absent(parameters, NETWORK_PROPERTIES))
                .or(() -> InvalidParameters.absent(parameters, RESOURCE_PROPERTIES))
                .<Plan>map(found -> found)
                .orElseGet(() -> withFilters(parameters));
    }

    private static Optional<Plan.Invalid> validateName(Map<String, @Nullable Object> parameters) {
        return parameters.get(NAME) instanceof String text
                        && !text.isBlank()
                        && text.length() <= MAX_TEXT_LENGTH
                ? Optional.empty()
                : InvalidParameters.malformed(
                        NAME, "must be a text of 1 to %s characters".formatted(MAX_TEXT_LENGTH));
    }

    private static Optional<Plan.Invalid> validateDescription(
            Map<String, @Nullable Object> parameters) {
        Object description = Objects.requireNonNullElse(parameters.get(DESCRIPTION), "");
        if (!(description instanceof String text) || text.length() > MAX_TEXT_LENGTH) {
            return InvalidParameters.malformed(
                    DESCRIPTION,
                    "must be a text of at most %s characters".formatted(MAX_TEXT_LENGTH));
        }
        return text.startsWith(RESERVED_PREFIX)
                ? InvalidParameters.malformed(DESCRIPTION, "must not begin with " + RESERVED_PREFIX)
                : Optional.empty();
    }

    private static Plan withFilters(Map<String, @Nullable Object> parameters) {
        return switch (filter(parameters, NETWORK_PROPERTIES)) {
            case Reading.Malformed(String message) -> new Plan.Invalid(NETWORK_PROPERTIES, message);
            case Reading.Understood(Requirement network) ->
                    switch (filter(parameters, RESOURCE_PROPERTIES)) {
                        case Reading.Malformed(String message) ->
                                new Plan.Invalid(RESOURCE_PROPERTIES, message);
                        case Reading.Understood(Requirement resource) ->
                                planned(parameters, network.and(resource));
                    };
        };
    }

    private static Reading filter(Map<String, @Nullable Object> parameters, String name) {
        return RequirementParser.parse(RequirementParser.text(parameters.get(name)));
    }

    private static Plan planned(Map<String, @Nullable Object> parameters, Requirement requirement) {
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        normal.put(NAME, text(parameters, NAME));
        normal.put(DESCRIPTION, text(parameters, DESCRIPTION));
        normal.put(NETWORK_PROPERTIES, RequirementParser.text(parameters.get(NETWORK_PROPERTIES)));
        normal.put(
                RESOURCE_PROPERTIES, RequirementParser.text(parameters.get(RESOURCE_PROPERTIES)));
        return new Plan.Planned(
                normal,
                new Demand.Whole(
                        ResourceKind.NETWORK, 1, 1, requirement, Demand.Selection.FIRST_FIT));
    }

    private static String text(Map<String, @Nullable Object> parameters, String name) {
        return parameters.get(name) instanceof String text ? text : "";
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        return switch (plan(ParameterChanges.apply(current, changes, NAMES))) {
            case Plan.Invalid invalid -> invalid;
            case Plan.Planned planned -> running ? requireUnchanged(current, planned) : planned;
        };
    }

    /**
     * Rejects changes of a running network. Its holder can rename it in the cloud itself. Another
     * segment would be another network, without all that is attached to this one.
     */
    private static Plan requireUnchanged(
            Map<String, @Nullable Object> current, Plan.Planned planned) {
        return NAMES.stream()
                .filter(name -> !Objects.equals(current.get(name), planned.parameters().get(name)))
                .findFirst()
                .<Plan>map(
                        name ->
                                new Plan.Invalid(
                                        name,
                                        "Cannot change "
                                                + name
                                                + " of a reservation that has already started"))
                .orElse(planned);
    }

    @Override
    public List<Filter> filters(Map<String, @Nullable Object> parameters) {
        return RequirementParser.filters(
                ResourceKind.NETWORK, parameters, NETWORK_PROPERTIES, RESOURCE_PROPERTIES);
    }

    @Override
    public Map<String, @Nullable Object> defaults() {
        return Map.of(NETWORK_PROPERTIES, "", RESOURCE_PROPERTIES, "");
    }

    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        NAMES.forEach(name -> fields.put(name, wish.parameters().get(name)));
        // The cloud assigns the id when it creates the network.
        fields.put("network_id", null);
        return fields;
    }

    @Override
    public KindDescription description() {
        return NetworkSchema.KIND;
    }

    @Override
    public String plural() {
        return "networks";
    }
}
