package org.example.parking;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.Requirement;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.KindDescription.ResourceUse;
import org.leasehold.resource.Planning;
import org.leasehold.resource.parameter.FieldSchema;
import org.leasehold.resource.parameter.ObjectSchema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The planning half. Its parameters are {@code amount} (the number of spaces, 1 to 100, default 1)
 * and {@code covered} (true for a roof, default false).
 */
final class ParkingPlanning implements Planning {

    private static final String AMOUNT = "amount";
    private static final String COVERED = "covered";
    private static final int MAX_AMOUNT = 100;

    private static final ObjectSchema SCHEMA =
            ObjectSchema.empty()
                    .with(AMOUNT, FieldSchema.integer(1, MAX_AMOUNT, "The number of spaces."))
                    .with(COVERED, FieldSchema.bool("Whether each space has a roof."));

    /** Both schemas are the same, because a change may set every parameter. */
    private static final KindDescription DESCRIPTION =
            new KindDescription(
                    "Parking spaces for one project.",
                    List.of(ResourceUse.whole(ParkingProvider.KIND)),
                    SCHEMA.json(),
                    SCHEMA.json());

    @Override
    public KindDescription description() {
        return DESCRIPTION;
    }

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        @Nullable Object amount = parameters.getOrDefault(AMOUNT, 1);
        @Nullable Object covered = parameters.getOrDefault(COVERED, false);
        if (!(amount instanceof Integer spaces) || spaces < 1 || spaces > MAX_AMOUNT) {
            return new Plan.Invalid(AMOUNT, "The amount is a number from 1 to " + MAX_AMOUNT + ".");
        }
        if (!(covered instanceof Boolean roof)) {
            return new Plan.Invalid(COVERED, "Covered is either true or false.");
        }
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        normal.put(AMOUNT, spaces);
        normal.put(COVERED, roof);
        Requirement requirement =
                roof
                        ? new Requirement.Comparison(Requirement.Operator.EQUAL, COVERED, "true")
                        : Requirement.none();
        return new Plan.Planned(
                normal,
                new Demand.Whole(
                        ParkingProvider.KIND,
                        spaces,
                        spaces,
                        requirement,
                        Demand.Selection.FIRST_FIT));
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(current);
        for (String key : List.of(AMOUNT, COVERED)) {
            if (changes.containsKey(key)) {
                changed.put(key, changes.get(key));
            }
        }
        return plan(changed);
    }

    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        return wish.parameters();
    }

    @Override
    public String plural() {
        return "parking spaces";
    }
}
