package org.leasehold.resource.floatingip;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.Planning;
import org.leasehold.resource.parameter.IntegerParameter;
import org.leasehold.resource.parameter.InvalidParameters;
import org.leasehold.resource.parameter.ParameterChanges;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Plans reservations of floating IPs. Checks come in Blazar's order and use its messages, because
 * clients match them. It rejects an amount of 0, for which Blazar makes an empty reservation.
 */
public final class FloatingIpPlanning implements Planning {

    /** The most floating IPs that one reservation may request. */
    static final int MAX_AMOUNT = 10_000;

    static final String NETWORK_ID = "network_id";
    static final String AMOUNT = "amount";
    static final String REQUIRED = "required_floatingips";

    private static final List<String> NAMES = List.of(NETWORK_ID, AMOUNT, REQUIRED);

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        return InvalidParameters.withoutValue(parameters, NETWORK_ID)
                .or(() -> validateNetwork(parameters))
                .or(() -> InvalidParameters.withoutValue(parameters, AMOUNT))
                .or(() -> validateAmount(parameters))
                .or(() -> validateRequired(parameters))
                .<Plan>map(found -> found)
                .orElseGet(() -> planned(parameters));
    }

    private static Optional<Plan.Invalid> validateNetwork(
            Map<String, @Nullable Object> parameters) {
        return parameters.get(NETWORK_ID) instanceof String id && FloatingIp.isNetwork(id)
                ? Optional.empty()
                : InvalidParameters.malformed(NETWORK_ID);
    }

    private static Optional<Plan.Invalid> validateAmount(Map<String, @Nullable Object> parameters) {
        Optional<BigInteger> amount = IntegerParameter.of(parameters.get(AMOUNT));
        if (amount.isEmpty()) {
            return InvalidParameters.malformed(AMOUNT);
        }
        boolean possible =
                amount.get().signum() > 0
                        && amount.get().compareTo(BigInteger.valueOf(MAX_AMOUNT)) <= 0;
        return possible
                ? Optional.empty()
                : InvalidParameters.malformed(AMOUNT, "must be from 1 to " + MAX_AMOUNT);
    }

    private static Optional<Plan.Invalid> validateRequired(
            Map<String, @Nullable Object> parameters) {
        Object given = parameters.get(REQUIRED);
        if (given == null) {
            return Optional.empty();
        }
        if (!(given instanceof List<?> list)) {
            return InvalidParameters.malformed(REQUIRED);
        }
        for (Object each : list) {
            if (!(each instanceof String text) || FloatingIp.canonical(text).isEmpty()) {
                return invalid(REQUIRED, "IP address " + each + " is invalid form.");
            }
        }
        return addresses(parameters).size() <= amount(parameters)
                ? Optional.empty()
                : invalid(
                        REQUIRED,
                        "Invalid values for required_floatingips and amount. The amount must be"
                                + " equal to or longer than length of required_floatingips.");
    }

    private static Plan planned(Map<String, @Nullable Object> parameters) {
        String network = String.valueOf(parameters.get(NETWORK_ID));
        int amount = amount(parameters);
        List<String> addresses = addresses(parameters);
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        normal.put(NETWORK_ID, network);
        normal.put(AMOUNT, amount);
        normal.put(REQUIRED, addresses);
        return new Plan.Planned(
                normal,
                new Demand.Whole(
                        ResourceKind.FLOATING_IP,
                        amount,
                        amount,
                        new Requirement.Comparison(
                                Requirement.Operator.EQUAL, FloatingIp.NETWORK, network),
                        Demand.Selection.FIRST_FIT,
                        addresses.stream()
                                .map(address -> new FloatingIp(network, address).name())
                                .toList()));
    }

    private static int amount(Map<String, @Nullable Object> parameters) {
        return IntegerParameter.of(parameters.get(AMOUNT)).orElseThrow().intValueExact();
    }

    /** Returns the required addresses without duplicates, in the order of the request. */
    private static List<String> addresses(Map<String, @Nullable Object> parameters) {
        Set<String> addresses = new LinkedHashSet<>();
        if (parameters.get(REQUIRED) instanceof List<?> list) {
            for (Object each : list) {
                FloatingIp.canonical(String.valueOf(each)).ifPresent(addresses::add);
            }
        }
        return List.copyOf(addresses);
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        Map<String, @Nullable Object> changed = ParameterChanges.apply(current, changes, NAMES);
        return switch (plan(changed)) {
            case Plan.Invalid invalid -> invalid;
            case Plan.Planned planned ->
                    validateChange(current, planned.parameters(), running)
                            .<Plan>map(found -> found)
                            .orElse(planned);
        };
    }

    private static Optional<Plan.Invalid> validateChange(
            Map<String, @Nullable Object> before,
            Map<String, @Nullable Object> after,
            boolean running) {
        if (!Objects.equals(before.get(NETWORK_ID), after.get(NETWORK_ID))) {
            return unchangeable(NETWORK_ID, "The network cannot be changed.");
        }
        List<String> required = addresses(after);
        boolean sameRequired = Set.copyOf(required).equals(Set.copyOf(addresses(before)));
        if (!sameRequired && !required.isEmpty()) {
            return unchangeable(
                    REQUIRED, "The required floating IPs can only be changed to an empty list.");
        }
        // An active reservation keeps the addresses that it has.
        return running && amount(after) < amount(before)
                ? unchangeable(AMOUNT, "An active reservation gives no floating IP back.")
                : Optional.empty();
    }

    private static Optional<Plan.Invalid> unchangeable(String field, String why) {
        return invalid(
                field,
                "Floating IP reservation cannot be updated with requested parameters. " + why);
    }

    private static Optional<Plan.Invalid> invalid(String field, String message) {
        return Optional.of(new Plan.Invalid(field, message));
    }

    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        NAMES.forEach(name -> fields.put(name, wish.parameters().get(name)));
        return fields;
    }

    @Override
    public KindDescription description() {
        return FloatingIpSchema.DESCRIPTION;
    }

    /** An address leads through a network to a server. */
    @Override
    public Set<ResourceKind> startsAfter() {
        return Set.of(
                ResourceKind.NETWORK,
                ResourceKind.VIRTUAL_INSTANCE,
                ResourceKind.FLAVOR_INSTANCE,
                ResourceKind.SERVER);
    }

    @Override
    public String plural() {
        return "floating IPs";
    }
}
