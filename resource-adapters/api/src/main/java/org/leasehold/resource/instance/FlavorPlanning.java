package org.leasehold.resource.instance;

import static org.leasehold.resource.instance.SlotParameters.AFFINITY;
import static org.leasehold.resource.instance.SlotParameters.AMOUNT;

import static java.util.stream.Collectors.joining;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Spread;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.Planning;
import org.leasehold.resource.parameter.InvalidParameters;
import org.leasehold.resource.parameter.ParameterChanges;

import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Plans reservations of instances of a flavor that the cloud has. {@link FlavorRequestCompleter}
 * has added the flavor's description before. The messages are Blazar's.
 */
public final class FlavorPlanning implements Planning {

    static final String FLAVOR_ID = "flavor_id";

    /** The longest id that Nova allows. */
    static final int MAX_ID_LENGTH = 255;

    /** The cloud's description of the flavor. */
    static final String FLAVOR = "flavor";

    private static final List<String> REQUIRED = List.of(FLAVOR_ID, AMOUNT, AFFINITY);
    private static final List<String> CHANGEABLE = List.of(FLAVOR_ID, FLAVOR, AMOUNT, AFFINITY);

    /** The ids that Nova allows; an id becomes a part of a path. */
    private static final Pattern ID =
            Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._ -]{1," + MAX_ID_LENGTH + "}");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    public KindDescription description() {
        return FlavorInstanceSchema.DESCRIPTION;
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
                                Flavor.of(parameters.get(FLAVOR))
                                        .map(flavor -> planned(parameters, flavor))
                                        .orElseGet(() -> unknown(parameters)));
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        return switch (plan(ParameterChanges.apply(current, changes, CHANGEABLE))) {
            case Plan.Invalid invalid -> invalid;
            case Plan.Planned planned ->
                    running ? SlotParameters.requireGrowthOnly(current, planned) : planned;
        };
    }

    /** Returns an error in a request, whatever the cloud says about its flavor. */
    static Optional<Plan.Invalid> validate(Map<String, @Nullable Object> parameters) {
        return missing(parameters)
                .or(() -> validateFlavorId(parameters))
                .or(() -> SlotParameters.validateAmount(parameters.get(AMOUNT)))
                .or(() -> validateAffinity(parameters.get(AFFINITY)));
    }

    private static Optional<Plan.Invalid> missing(Map<String, @Nullable Object> parameters) {
        List<String> missing =
                REQUIRED.stream().filter(name -> !parameters.containsKey(name)).toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Plan.Invalid(
                                missing.getFirst(),
                                missing.stream().collect(joining(",", "Missing parameter ", ""))));
    }

    private static Optional<Plan.Invalid> validateFlavorId(
            Map<String, @Nullable Object> parameters) {
        return flavorId(parameters).isPresent()
                ? Optional.empty()
                : InvalidParameters.malformed(FLAVOR_ID);
    }

    /** Returns the flavor's id. The command line sends a number if the id looks like one. */
    static Optional<String> flavorId(Map<String, @Nullable Object> parameters) {
        Object id = parameters.get(FLAVOR_ID);
        return id instanceof String || id instanceof Integer || id instanceof Long
                ? Optional.of(id.toString()).filter(ID.asMatchPredicate())
                : Optional.empty();
    }

    private static Optional<Plan.Invalid> validateAffinity(@Nullable Object affinity) {
        return SlotParameters.validateAffinity(affinity)
                .or(
                        () ->
                                SlotParameters.spread(affinity)
                                        .filter(spread -> spread != Spread.ANYWHERE)
                                        .map(
                                                unsupported ->
                                                        new Plan.Invalid(
                                                                AFFINITY,
                                                                "Affinity not supported yet")));
    }

    private static Plan.Invalid unknown(Map<String, @Nullable Object> parameters) {
        return new Plan.Invalid(FLAVOR_ID, notFound(flavorId(parameters).orElse("")));
    }

    static String notFound(String id) {
        return "Flavor " + id + " could not be found.";
    }

    private static Plan planned(Map<String, @Nullable Object> parameters, Flavor flavor) {
        Optional<String> misfit = FlavorNeeds.validate(flavor);
        if (misfit.isPresent()) {
            return new Plan.Invalid(FLAVOR_ID, misfit.get());
        }
        int amount = SlotParameters.number(parameters, AMOUNT);
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        normal.put(FLAVOR_ID, flavorId(parameters).orElseThrow());
        normal.put(AMOUNT, amount);
        normal.put(AFFINITY, null);
        normal.put(FLAVOR, flavor.parameters());
        FlavorNeeds needs = FlavorNeeds.of(flavor);
        return new Plan.Planned(
                normal,
                new Demand.Shared(
                        ResourceKind.PHYSICAL_HOST,
                        amount,
                        needs.amounts(),
                        needs.requirement(),
                        Spread.ANYWHERE));
    }

    @Override
    public Map<String, @Nullable Object> defaults() {
        return Map.of(AFFINITY, SlotParameters.ANYWHERE);
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
        Flavor flavor = Flavor.ofSlots(wish.parameters());
        fields.put("vcpus", flavor.vcpus());
        fields.put("memory_mb", flavor.memoryMb());
        fields.put("disk_gb", flavor.diskGb());
        fields.put(AMOUNT, wish.parameters().get(AMOUNT));
        fields.put(AFFINITY, null);
        fields.put("resource_properties", JSON.writeValueAsString(asNovaShows(flavor)));
        // Servers are started with the reservation's own flavor, which has the same id.
        fields.put(FLAVOR_ID, wish.id().toString());
        // The cloud assigns these ids, and a plan knows nothing of the cloud.
        fields.put("aggregate_id", null);
        fields.put("server_group_id", null);
        return fields;
    }

    private static Map<String, Object> asNovaShows(Flavor flavor) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", flavor.id());
        fields.put("name", flavor.name());
        fields.put("vcpus", flavor.vcpus());
        fields.put("ram", flavor.memoryMb());
        fields.put("disk", flavor.diskGb());
        fields.put("OS-FLV-EXT-DATA:ephemeral", flavor.ephemeralGb());
        fields.put("swap", flavor.swapMb());
        fields.put("extra_specs", flavor.extraSpecs());
        return fields;
    }
}
