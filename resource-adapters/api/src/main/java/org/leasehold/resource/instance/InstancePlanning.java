package org.leasehold.resource.instance;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Spread;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning;
import org.leasehold.resource.parameter.WholeNumber;
import org.leasehold.resource.requirement.RequirementParser;
import org.leasehold.resource.requirement.RequirementParser.Reading;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Plans reservations of instances: so many slots of one size on hosts that others may have slots of
 * at the same time. The answers are Blazar's words, also where Blazar itself falls over.
 */
public final class InstancePlanning implements Planning {

    /** The most slots that one reservation may ask for. */
    public static final int MOST_SLOTS = 10_000;

    /** The largest size of a slot, in any of its dimensions. */
    public static final int LARGEST = 1_000_000_000;

    static final String VCPUS = "vcpus";
    static final String MEMORY_MB = "memory_mb";
    static final String DISK_GB = "disk_gb";
    static final String AMOUNT = "amount";
    static final String AFFINITY = "affinity";
    static final String RESOURCE_PROPERTIES = "resource_properties";

    private static final List<String> PARAMETERS =
            List.of(VCPUS, MEMORY_MB, DISK_GB, AMOUNT, AFFINITY, RESOURCE_PROPERTIES);

    private static final Set<String> YES = Set.of("1", "t", "true", "on", "y", "yes");
    private static final Set<String> NO = Set.of("0", "f", "false", "off", "n", "no");

    /** It is hosts that run out. */
    @Override
    public String plural() {
        return "hosts";
    }

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        return misfit(parameters)
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
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(current);
        changes.forEach(
                (name, value) -> {
                    if (PARAMETERS.contains(name)) {
                        changed.put(name, value);
                    }
                });
        return switch (plan(changed)) {
            case Plan.Invalid invalid -> invalid;
            case Plan.Planned planned -> running ? growing(current, planned) : planned;
        };
    }

    /** A slot in which a server may run stays as it is, and where it is. */
    private static Plan growing(Map<String, @Nullable Object> current, Plan.Planned planned) {
        for (String name : PARAMETERS) {
            if (!name.equals(AMOUNT)
                    && !Objects.equals(current.get(name), planned.parameters().get(name))) {
                return new Plan.Invalid(
                        name, "An active reservation only accepts to update amount.");
            }
        }
        return number(planned.parameters(), AMOUNT) < number(current, AMOUNT)
                ? new Plan.Invalid(
                        AMOUNT,
                        "Instance reservation doesn't allow to reduce/replace reserved instance"
                                + " slots when the reservation is in active status.")
                : planned;
    }

    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        PARAMETERS.forEach(name -> fields.put(name, wish.parameters().get(name)));
        fields.put("flavor_id", wish.id().toString());
        // The cloud says what they are once it has made them.
        fields.put("aggregate_id", null);
        fields.put("server_group_id", null);
        return fields;
    }

    /** A server group can only be used by whose it is. */
    @Override
    public boolean actsAsUser(Map<String, @Nullable Object> parameters) {
        return parameters.get(AFFINITY) != null;
    }

    private static Optional<Plan.Invalid> misfit(Map<String, @Nullable Object> parameters) {
        return missing(parameters)
                .or(() -> sizeMisfit(parameters, VCPUS, 1))
                .or(() -> sizeMisfit(parameters, MEMORY_MB, 1))
                .or(() -> sizeMisfit(parameters, DISK_GB, 0))
                .or(() -> amountMisfit(parameters.get(AMOUNT)))
                .or(() -> affinityMisfit(parameters.get(AFFINITY)));
    }

    private static Optional<Plan.Invalid> missing(Map<String, @Nullable Object> parameters) {
        return PARAMETERS.stream()
                .filter(name -> !parameters.containsKey(name))
                .findFirst()
                .map(name -> new Plan.Invalid(name, "Missing parameter " + name));
    }

    private static Optional<Plan.Invalid> sizeMisfit(
            Map<String, @Nullable Object> parameters, String name, int least) {
        Optional<BigInteger> size = WholeNumber.of(parameters.get(name));
        if (size.isEmpty()) {
            return Optional.of(new Plan.Invalid(name, "Malformed parameter " + name));
        }
        return size.filter(number -> !isWithin(number, least, LARGEST))
                .map(
                        outside ->
                                new Plan.Invalid(
                                        name,
                                        "Malformed parameter %s (must be from %d to %d)"
                                                .formatted(name, least, LARGEST)));
    }

    private static Optional<Plan.Invalid> amountMisfit(@Nullable Object amount) {
        Optional<BigInteger> number = WholeNumber.of(amount);
        if (number.isEmpty()) {
            return Optional.of(new Plan.Invalid(AMOUNT, "amount must be an integer"));
        }
        if (number.get().signum() <= 0) {
            return Optional.of(new Plan.Invalid(AMOUNT, "amount must be >= 1"));
        }
        return isWithin(number.get(), 1, MOST_SLOTS)
                ? Optional.empty()
                : Optional.of(new Plan.Invalid(AMOUNT, "amount must be <= " + MOST_SLOTS));
    }

    private static Optional<Plan.Invalid> affinityMisfit(@Nullable Object affinity) {
        return spread(affinity).isPresent()
                ? Optional.empty()
                : Optional.of(
                        new Plan.Invalid(
                                AFFINITY,
                                "Malformed parameter affinity (must be a bool value or None)"));
    }

    private static boolean isWithin(BigInteger number, int least, int most) {
        return number.compareTo(BigInteger.valueOf(least)) >= 0
                && number.compareTo(BigInteger.valueOf(most)) <= 0;
    }

    private static Plan planned(Map<String, @Nullable Object> parameters, Requirement requirement) {
        Spread spread = spread(parameters.get(AFFINITY)).orElseThrow();
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        for (String name : List.of(VCPUS, MEMORY_MB, DISK_GB, AMOUNT)) {
            normal.put(name, number(parameters, name));
        }
        normal.put(AFFINITY, affinity(spread));
        normal.put(
                RESOURCE_PROPERTIES, RequirementParser.text(parameters.get(RESOURCE_PROPERTIES)));
        return new Plan.Planned(
                normal,
                new Demand.Shared(
                        ResourceKind.PHYSICAL_HOST,
                        number(parameters, AMOUNT),
                        Map.of(
                                "VCPU", (long) number(parameters, VCPUS),
                                "MEMORY_MB", (long) number(parameters, MEMORY_MB),
                                "DISK_GB", (long) number(parameters, DISK_GB)),
                        requirement,
                        spread));
    }

    private static Reading filter(Map<String, @Nullable Object> parameters) {
        return RequirementParser.parse(RequirementParser.text(parameters.get(RESOURCE_PROPERTIES)));
    }

    private static int number(Map<String, @Nullable Object> parameters, String name) {
        return WholeNumber.of(parameters.get(name)).orElse(BigInteger.ZERO).intValue();
    }

    /** Command lines and forms send a word, Python's among them. */
    private static Optional<Spread> spread(@Nullable Object affinity) {
        if (affinity == null) {
            return Optional.of(Spread.ANYWHERE);
        }
        String word = affinity.toString().strip().toLowerCase(Locale.ROOT);
        if (word.equals("none")) {
            return Optional.of(Spread.ANYWHERE);
        }
        if (YES.contains(word)) {
            return Optional.of(Spread.TOGETHER);
        }
        return NO.contains(word) ? Optional.of(Spread.APART) : Optional.empty();
    }

    private static @Nullable Boolean affinity(Spread spread) {
        return switch (spread) {
            case ANYWHERE -> null;
            case TOGETHER -> true;
            case APART -> false;
        };
    }
}
