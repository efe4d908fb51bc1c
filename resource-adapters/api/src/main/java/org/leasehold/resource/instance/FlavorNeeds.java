package org.leasehold.resource.instance;

import org.leasehold.inventory.Requirement;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The needs of a server of a flavor from its host. They are what Nova requests from Placement: an
 * extra spec {@code resources:} replaces what the size says.
 *
 * @param amounts by resource class
 */
record FlavorNeeds(Map<String, Long> amounts, Requirement requirement) {

    private static final String RESOURCES = "resources:";
    private static final String TRAIT = "trait:";
    private static final String CPU_POLICY = "hw:cpu_policy";

    /** Groups of needs that one part of a host meets alone: the calendar does not know parts. */
    private static final Pattern GROUP = Pattern.compile("(resources|trait)[0-9A-Za-z_-]+:.*");

    /** The extra spec that only a reservation's own flavor has. */
    private static final String RESERVATION = "aggregate_instance_extra_specs:reservation";

    private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,9}");
    private static final int MB_PER_GB = 1_024;

    /** The values that operators write for a trait of a host, on the command line and in JSON. */
    private static final List<String> TRUE_VALUES = List.of("true", "True");

    /** Returns why the calendar cannot match hosts to the flavor; empty if it can. */
    static Optional<String> validate(Flavor flavor) {
        return flavor.extraSpecs().entrySet().stream()
                .filter(spec -> isUnclear(spec.getKey(), spec.getValue()))
                .findFirst()
                .map(
                        spec ->
                                "The flavor %s cannot be reserved: its extra spec %s=%s is not supported"
                                        .formatted(flavor.name(), spec.getKey(), spec.getValue()))
                .or(
                        () ->
                                amounts(flavor).values().stream().allMatch(amount -> amount == 0)
                                        ? Optional.of(
                                                "The flavor %s cannot be reserved: it needs nothing"
                                                        .formatted(flavor.name()))
                                        : Optional.empty());
    }

    private static boolean isUnclear(String key, String value) {
        if (key.startsWith(RESOURCES)) {
            return !AMOUNT.matcher(value).matches();
        }
        if (key.startsWith(TRAIT)) {
            return !value.equals("required") && !value.equals("forbidden");
        }
        return key.equals(RESERVATION)
                || GROUP.matcher(key).matches()
                || (key.equals(CPU_POLICY) && value.equals("mixed"));
    }

    static FlavorNeeds of(Flavor flavor) {
        return new FlavorNeeds(amounts(flavor), requirement(flavor));
    }

    private static Map<String, Long> amounts(Flavor flavor) {
        boolean dedicated = "dedicated".equals(flavor.extraSpecs().get(CPU_POLICY));
        Map<String, Long> amounts = new TreeMap<>();
        amounts.put(dedicated ? "PCPU" : "VCPU", (long) flavor.vcpus());
        amounts.put("MEMORY_MB", (long) flavor.memoryMb());
        long swapGb = Math.ceilDiv(flavor.swapMb(), MB_PER_GB);
        amounts.put("DISK_GB", (long) flavor.diskGb() + flavor.ephemeralGb() + swapGb);
        specsWithPrefix(RESOURCES, flavor)
                .forEach(
                        (resourceClass, amount) ->
                                amounts.put(resourceClass, Long.valueOf(amount)));
        return amounts;
    }

    private static Requirement requirement(Flavor flavor) {
        List<Requirement> terms = new ArrayList<>();
        specsWithPrefix(TRAIT, flavor)
                .forEach(
                        (trait, wanted) -> {
                            Requirement has = requireTrait(trait);
                            terms.add(wanted.equals("required") ? has : new Requirement.Not(has));
                        });
        return terms.size() == 1 ? terms.getFirst() : new Requirement.And(terms);
    }

    /** Returns a requirement for a trait, which is a property of that name. */
    private static Requirement requireTrait(String trait) {
        return new Requirement.In(trait, TRUE_VALUES);
    }

    /** Returns the extra specs with a prefix, without the prefix. */
    private static Map<String, String> specsWithPrefix(String prefix, Flavor flavor) {
        Map<String, String> named = new TreeMap<>();
        flavor.extraSpecs()
                .forEach(
                        (key, value) -> {
                            if (key.startsWith(prefix)) {
                                named.put(key.substring(prefix.length()), value);
                            }
                        });
        return named;
    }
}
