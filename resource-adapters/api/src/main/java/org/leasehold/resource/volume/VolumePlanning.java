package org.leasehold.resource.volume;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.calendar.Demand.Spread;
import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.Requirement.Comparison;
import org.leasehold.inventory.Requirement.Operator;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.Planning;
import org.leasehold.resource.parameter.IntegerParameter;
import org.leasehold.resource.parameter.InvalidParameters;
import org.leasehold.resource.parameter.ParameterChanges;
import org.leasehold.resource.parameter.ParameterKeyword;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Plans reservations of volumes: each is one volume, a new one of a type and a size, or one that
 * its project has already. The parameters are Cinder's, and {@code on_end}; others are ignored.
 *
 * <p>A GiB is a slot, and all slots are on one type. So a volume that has started can grow in
 * place, and never moves. An existing volume takes no GiB of the calendar.
 */
public final class VolumePlanning implements Planning {

    /** The longest name and the longest description that Cinder accepts. */
    public static final int MAX_TEXT_LENGTH = 255;

    /** The largest volume, in GiB. */
    public static final int MAX_SIZE_GIB = 1_000_000;

    /** The type of a new volume. */
    public static final String VOLUME_TYPE = VolumeType.NAME;

    /** The size of a new volume, in GiB. */
    public static final String SIZE = "size";

    /** The name of a new volume. */
    public static final String NAME = "name";

    /** The description of a new volume. */
    public static final String DESCRIPTION = "description";

    /** The id of the project's volume; null for a new one. */
    public static final String VOLUME_ID = "volume_id";

    /** The action at the end: {@link VolumeEndAction}. */
    public static final String ON_END = "on_end";

    private static final List<String> NEW_VOLUME_PARAMETERS =
            List.of(VOLUME_TYPE, SIZE, NAME, DESCRIPTION);

    /** The parameters that can change: another volume would be another reservation. */
    private static final List<String> CHANGEABLE =
            List.of(VOLUME_TYPE, SIZE, NAME, DESCRIPTION, ON_END);

    private static final Pattern ID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    /** Returns the id of the project's volume that is reserved; empty for a new one. */
    public static Optional<String> existing(Map<String, @Nullable Object> parameters) {
        return Optional.ofNullable(parameters.get(VOLUME_ID)).map(Object::toString);
    }

    /** Returns the size of the new volume of a planned reservation, in GiB. */
    public static int size(Map<String, @Nullable Object> parameters) {
        return IntegerParameter.of(parameters.get(SIZE)).orElseThrow().intValueExact();
    }

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        boolean isNew = parameters.get(VOLUME_ID) == null;
        return (isNew ? validateNew(parameters) : validateExisting(parameters))
                .or(() -> InvalidParameters.unknown(parameters, ON_END, VolumeEndAction.class))
                .<Plan>map(found -> found)
                .orElseGet(() -> isNew ? plannedNew(parameters) : plannedExisting(parameters));
    }

    private static Optional<Plan.Invalid> validateNew(Map<String, @Nullable Object> parameters) {
        return InvalidParameters.withoutValue(parameters, VOLUME_TYPE)
                .or(() -> validateText(parameters, VOLUME_TYPE, 1))
                .or(() -> InvalidParameters.withoutValue(parameters, SIZE))
                .or(() -> validateSize(parameters))
                .or(() -> validateText(parameters, NAME, 0))
                .or(() -> validateText(parameters, DESCRIPTION, 0));
    }

    private static Optional<Plan.Invalid> validateExisting(
            Map<String, @Nullable Object> parameters) {
        boolean isId = parameters.get(VOLUME_ID) instanceof String id && ID.matcher(id).matches();
        return isId
                ? NEW_VOLUME_PARAMETERS.stream()
                        .filter(name -> parameters.get(name) != null)
                        .findFirst()
                        .flatMap(
                                name ->
                                        InvalidParameters.malformed(
                                                name, "the volume " + VOLUME_ID + " has its own"))
                : InvalidParameters.malformed(VOLUME_ID, "must be a volume's id");
    }

    private static Optional<Plan.Invalid> validateText(
            Map<String, @Nullable Object> parameters, String name, int shortest) {
        return Objects.requireNonNullElse(parameters.get(name), "") instanceof String text
                        && text.length() >= shortest
                        && text.length() <= MAX_TEXT_LENGTH
                ? Optional.empty()
                : InvalidParameters.malformed(
                        name,
                        "must be a text of %s to %s characters"
                                .formatted(shortest, MAX_TEXT_LENGTH));
    }

    private static Optional<Plan.Invalid> validateSize(Map<String, @Nullable Object> parameters) {
        boolean possible =
                IntegerParameter.of(parameters.get(SIZE))
                        .filter(size -> size.signum() > 0)
                        .filter(size -> size.compareTo(BigInteger.valueOf(MAX_SIZE_GIB)) <= 0)
                        .isPresent();
        return possible
                ? Optional.empty()
                : InvalidParameters.malformed(SIZE, "must be from 1 to " + MAX_SIZE_GIB);
    }

    private static Plan plannedNew(Map<String, @Nullable Object> parameters) {
        String type = String.valueOf(parameters.get(VOLUME_TYPE));
        int size = size(parameters);
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        normal.put(VOLUME_TYPE, type);
        normal.put(SIZE, size);
        normal.put(NAME, Objects.requireNonNullElse(parameters.get(NAME), ""));
        normal.put(DESCRIPTION, Objects.requireNonNullElse(parameters.get(DESCRIPTION), ""));
        normal.put(VOLUME_ID, null);
        normal.put(ON_END, onEnd(parameters, VolumeEndAction.DELETE));
        return new Plan.Planned(
                normal,
                new Demand.Shared(
                        ResourceKind.VOLUME,
                        size,
                        Map.of(VolumeType.GIB, 1L),
                        new Comparison(Operator.EQUAL, VOLUME_TYPE, type),
                        Spread.TOGETHER));
    }

    /** Plans an existing volume, which is deleted only on explicit request. */
    private static Plan plannedExisting(Map<String, @Nullable Object> parameters) {
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        NEW_VOLUME_PARAMETERS.forEach(name -> normal.put(name, null));
        normal.put(VOLUME_ID, parameters.get(VOLUME_ID));
        normal.put(ON_END, onEnd(parameters, VolumeEndAction.DETACH));
        return new Plan.Planned(
                normal,
                new Demand.Shared(
                        ResourceKind.VOLUME,
                        1,
                        Map.of(VolumeType.GIB, 0L),
                        Requirement.none(),
                        Spread.TOGETHER));
    }

    private static String onEnd(
            Map<String, @Nullable Object> parameters, VolumeEndAction otherwise) {
        return ParameterKeyword.of(VolumeEndAction.class, parameters.get(ON_END))
                .orElse(otherwise)
                .word();
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        return switch (plan(ParameterChanges.apply(current, changes, CHANGEABLE))) {
            case Plan.Invalid invalid -> invalid;
            case Plan.Planned planned ->
                    running
                            ? validateChange(current, planned.parameters())
                                    .<Plan>map(found -> found)
                                    .orElse(planned)
                            : planned;
        };
    }

    /** Rejects changes of an existing volume: its project can rename it in the cloud itself. */
    private static Optional<Plan.Invalid> validateChange(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        return List.of(VOLUME_TYPE, NAME, DESCRIPTION).stream()
                .filter(name -> !Objects.equals(before.get(name), after.get(name)))
                .findFirst()
                .map(
                        name ->
                                new Plan.Invalid(
                                        name,
                                        "Cannot change %s of a reservation that has already started"
                                                .formatted(name)))
                .or(() -> validateGrowth(before, after));
    }

    private static Optional<Plan.Invalid> validateGrowth(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        return existing(after).isEmpty() && size(after) < size(before)
                ? Optional.of(
                        new Plan.Invalid(
                                SIZE,
                                "A volume that is there never shrinks: its size is %s GiB"
                                        .formatted(size(before))))
                : Optional.empty();
    }

    /** Returns the fields. The cloud assigns the id of a new volume. */
    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        NEW_VOLUME_PARAMETERS.forEach(name -> fields.put(name, wish.parameters().get(name)));
        fields.put(VOLUME_ID, wish.parameters().get(VOLUME_ID));
        fields.put(ON_END, wish.parameters().get(ON_END));
        return fields;
    }

    /** Returns whether Cinder creates something, which it does in the caller's project. */
    @Override
    public boolean actsAsUser(Map<String, @Nullable Object> parameters) {
        return existing(parameters).isEmpty()
                || VolumeEndAction.of(parameters) == VolumeEndAction.SNAPSHOT;
    }

    @Override
    public KindDescription description() {
        return VolumeSchema.KIND;
    }

    @Override
    public String plural() {
        return "volumes";
    }
}
