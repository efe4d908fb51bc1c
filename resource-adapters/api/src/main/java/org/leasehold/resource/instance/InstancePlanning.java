package org.leasehold.resource.instance;

import static org.leasehold.resource.instance.SlotParameters.AFFINITY;
import static org.leasehold.resource.instance.SlotParameters.AMOUNT;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Spread;
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
 * Plans reservations of instances: a number of slots of one size, on hosts that several
 * reservations may share. The messages are Blazar's, also where Blazar itself crashes.
 */
public final class InstancePlanning implements Planning {

    /** The most slots that one reservation may request. */
    public static final int MAX_SLOTS = SlotParameters.MAX_SLOTS;

    /** The largest size of a slot, in any of its dimensions. */
    public static final int MAX_SIZE = 1_000_000_000;

    static final String VCPUS = "vcpus";
    static final String MEMORY_MB = "memory_mb";
    static final String DISK_GB = "disk_gb";
    static final String RESOURCE_PROPERTIES = "resource_properties";

    private static final List<String> PARAMETERS =
            List.of(VCPUS, MEMORY_MB, DISK_GB, AMOUNT, AFFINITY, RESOURCE_PROPERTIES);

    @Override
    public KindDescription description() {
        return VirtualInstanceSchema.DESCRIPTION;
    }

    /** Its servers may use the networks and the volumes of the lease, and run on its hosts. */
    @Override
    public Set<ResourceKind> startsAfter() {
        return Set.of(ResourceKind.PHYSICAL_HOST, ResourceKind.NETWORK, ResourceKind.VOLUME);
    }

    /** Names hosts, because they are what runs out. */
    @Override
    public String plural() {
        return "hosts";
    }

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        return validate(parameters)
                .<Plan>map(found -> found)
                .orElseGet(
                        () ->
                                switch (filter(parameters)) {
                                    case Reading.Malformed(String message) ->
                                            new Plan.Invalid(RESOURCE_PROPERTIES, message);
                                    case Reading.Understood(Requirement requirement) ->
                                            planned(parameters, requirement);
                                });
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        return switch (plan(ParameterChanges.apply(current, changes, PARAMETERS))) {
            case Plan.Invalid invalid -> invalid;
            case Plan.Planned planned ->
                    running ? SlotParameters.requireGrowthOnly(current, planned) : planned;
        };
    }

    @Override
    public List<Filter> filters(Map<String, @Nullable Object> parameters) {
        return RequirementParser.filters(
                ResourceKind.PHYSICAL_HOST, parameters, RESOURCE_PROPERTIES);
    }

    @Override
    public Map<String, @Nullable Object> defaults() {
        return Map.of(AFFINITY, SlotParameters.ANYWHERE, RESOURCE_PROPERTIES, "");
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
        PARAMETERS.forEach(name -> fields.put(name, wish.parameters().get(name)));
        fields.put("flavor_id", wish.id().toString());
        // The cloud assigns the ids when it creates the aggregate and the group.
        fields.put("aggregate_id", null);
        fields.put("server_group_id", null);
        return fields;
    }

    /** Returns whether there is a server group: only its owner can use one. */
    @Override
    public boolean actsAsUser(Map<String, @Nullable Object> parameters) {
        return parameters.get(AFFINITY) != null;
    }

    private static Optional<Plan.Invalid> validate(Map<String, @Nullable Object> parameters) {
        return missing(parameters)
                .or(() -> validateSize(parameters, VCPUS, 1))
                .or(() -> validateSize(parameters, MEMORY_MB, 1))
                .or(() -> validateSize(parameters, DISK_GB, 0))
                .or(() -> SlotParameters.validateAmount(parameters.get(AMOUNT)))
                .or(() -> SlotParameters.validateAffinity(parameters.get(AFFINITY)));
    }

    private static Optional<Plan.Invalid> missing(Map<String, @Nullable Object> parameters) {
        return PARAMETERS.stream()
                .flatMap(name -> InvalidParameters.absent(parameters, name).stream())
                .findFirst();
    }

    private static Optional<Plan.Invalid> validateSize(
            Map<String, @Nullable Object> parameters, String name, int least) {
        Optional<BigInteger> size = IntegerParameter.of(parameters.get(name));
        if (size.isEmpty()) {
            return InvalidParameters.malformed(name);
        }
        return size.filter(number -> !SlotParameters.isWithin(number, least, MAX_SIZE))
                .flatMap(
                        _ ->
                                InvalidParameters.malformed(
                                        name, "must be from %s to %s".formatted(least, MAX_SIZE)));
    }

    private static Plan planned(Map<String, @Nullable Object> parameters, Requirement requirement) {
        Spread spread = SlotParameters.spread(parameters.get(AFFINITY)).orElseThrow();
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        for (String name : List.of(VCPUS, MEMORY_MB, DISK_GB, AMOUNT)) {
            normal.put(name, SlotParameters.number(parameters, name));
        }
        normal.put(AFFINITY, affinity(spread));
        normal.put(
                RESOURCE_PROPERTIES, RequirementParser.text(parameters.get(RESOURCE_PROPERTIES)));
        return new Plan.Planned(
                normal,
                new Demand.Shared(
                        ResourceKind.PHYSICAL_HOST,
                        SlotParameters.number(parameters, AMOUNT),
                        Map.of(
                                "VCPU", (long) SlotParameters.number(parameters, VCPUS),
                                "MEMORY_MB", (long) SlotParameters.number(parameters, MEMORY_MB),
                                "DISK_GB", (long) SlotParameters.number(parameters, DISK_GB)),
                        requirement,
                        spread));
    }

    private static Reading filter(Map<String, @Nullable Object> parameters) {
        return RequirementParser.parse(RequirementParser.text(parameters.get(RESOURCE_PROPERTIES)));
    }

    private static @Nullable Boolean affinity(Spread spread) {
        return switch (spread) {
            case ANYWHERE -> null;
            case TOGETHER -> true;
            case APART -> false;
        };
    }
}
