package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.calendar.Demand;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.KindDescription;
import org.leasehold.resource.Planning;
import org.leasehold.resource.parameter.InvalidParameters;
import org.leasehold.resource.parameter.ParameterChanges;
import org.leasehold.resource.parameter.ParameterKeyword;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Plans reservations of stacks: each is one Heat stack, a new one from a template, or one that its
 * project has already. {@link StackRequestCompleter} has added its parts before. Its servers need
 * room in their availability zones, its volumes GiB of their types, its floating IPs addresses of
 * their networks' pools. Unknown parameters are ignored.
 */
public final class StackPlanning implements Planning {

    /** The id of the project's stack; null for a new one. */
    public static final String STACK_ID = "stack_id";

    /** The template of a new stack: an object, or a text. */
    public static final String TEMPLATE = "template";

    /** The values of the template's parameters, by name. */
    public static final String PARAMETERS = "parameters";

    /** Heat's environment: an object, or a text. */
    public static final String ENVIRONMENT = "environment";

    /** The files to which the template and the environment refer, by name. */
    public static final String FILES = "files";

    /** The action at the end: {@link StackEndAction}. */
    public static final String ON_END = "on_end";

    /** The cloud's ids of the resources of a stack that it created, by their names. */
    public static final String RESOURCES = "resources";

    /** The cloud's description of the stack: {@link StackDescription}. */
    static final String STACK = "stack";

    static final List<String> NEW_STACK_PARAMETERS =
            List.of(TEMPLATE, PARAMETERS, ENVIRONMENT, FILES);

    /** The parameters that can change: another stack would be another reservation. */
    private static final List<String> CHANGEABLE =
            List.of(TEMPLATE, PARAMETERS, ENVIRONMENT, FILES, ON_END, STACK);

    private static final Pattern ID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    /** Returns the id of the project's stack that is reserved; empty for a new one. */
    public static Optional<String> existing(Map<String, @Nullable Object> parameters) {
        return Optional.ofNullable(parameters.get(STACK_ID)).map(Object::toString);
    }

    /** Returns the name of the project's stack at the time of the request; empty for a new one. */
    public static Optional<String> existingName(Map<String, @Nullable Object> parameters) {
        return StackDescription.of(parameters.get(STACK))
                .map(StackDescription::name)
                .filter(name -> !name.isEmpty());
    }

    /** Returns the parts of the stack that need something from the calendar. */
    public static List<StackComponent> parts(Map<String, @Nullable Object> parameters) {
        return StackDescription.of(parameters.get(STACK))
                .map(StackDescription::parts)
                .orElse(List.of());
    }

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        return validate(parameters)
                .<Plan>map(found -> found)
                .orElseGet(
                        () ->
                                StackDescription.of(parameters.get(STACK))
                                        .<Plan>map(blueprint -> planned(parameters, blueprint))
                                        .orElseGet(() -> unknown(parameters)));
    }

    private static Plan unknown(Map<String, @Nullable Object> parameters) {
        return existing(parameters)
                .map(id -> new Plan.Invalid(STACK_ID, notFound(id)))
                .orElseGet(
                        () ->
                                new Plan.Invalid(
                                        TEMPLATE, "Nobody has said what the template makes"));
    }

    static String notFound(String id) {
        return "Stack " + id + " could not be found.";
    }

    /** Returns an error in a request, whatever the cloud says about its stack. */
    static Optional<Plan.Invalid> validate(Map<String, @Nullable Object> parameters) {
        return (parameters.get(STACK_ID) == null
                        ? validateNew(parameters)
                        : validateExisting(parameters))
                .or(() -> validateOnEnd(parameters));
    }

    private static Optional<Plan.Invalid> validateNew(Map<String, @Nullable Object> parameters) {
        return InvalidParameters.withoutValue(parameters, TEMPLATE)
                .or(() -> validate(parameters, TEMPLATE, /* mayBeText= */ true))
                .or(() -> validate(parameters, PARAMETERS, /* mayBeText= */ false))
                .or(() -> validate(parameters, ENVIRONMENT, /* mayBeText= */ true))
                .or(() -> validate(parameters, FILES, /* mayBeText= */ false));
    }

    private static Optional<Plan.Invalid> validate(
            Map<String, @Nullable Object> parameters, String name, boolean mayBeText) {
        Object value = parameters.get(name);
        boolean fits =
                value == null
                        || value instanceof Map
                        || (mayBeText && value instanceof String text && !text.isBlank());
        return fits
                ? Optional.empty()
                : InvalidParameters.malformed(
                        name, mayBeText ? "must be an object or a text" : "must be an object");
    }

    private static Optional<Plan.Invalid> validateExisting(
            Map<String, @Nullable Object> parameters) {
        boolean isId = parameters.get(STACK_ID) instanceof String id && ID.matcher(id).matches();
        return isId
                ? NEW_STACK_PARAMETERS.stream()
                        .filter(name -> parameters.get(name) != null)
                        .findFirst()
                        .flatMap(
                                name ->
                                        InvalidParameters.malformed(
                                                name, "the stack " + STACK_ID + " has its own"))
                : InvalidParameters.malformed(STACK_ID, "must be a stack's id");
    }

    /** Rejects {@code keep} for a new stack: its name is the lease's. It may be suspended. */
    private static Optional<Plan.Invalid> validateOnEnd(Map<String, @Nullable Object> parameters) {
        boolean stays =
                existing(parameters).isEmpty()
                        && StackEndAction.KEEP.word().equals(parameters.get(ON_END));
        return stays
                ? InvalidParameters.malformed(ON_END, "a new stack is deleted or suspended")
                : InvalidParameters.unknown(parameters, ON_END, StackEndAction.class);
    }

    private static Plan.Planned planned(
            Map<String, @Nullable Object> parameters, StackDescription blueprint) {
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        normal.put(STACK_ID, parameters.get(STACK_ID));
        NEW_STACK_PARAMETERS.forEach(name -> normal.put(name, parameters.get(name)));
        // A stack that existed before is deleted only on explicit request.
        StackEndAction otherwise =
                existing(parameters).isEmpty() ? StackEndAction.DELETE : StackEndAction.SUSPEND;
        normal.put(
                ON_END,
                ParameterKeyword.of(StackEndAction.class, parameters.get(ON_END))
                        .orElse(otherwise)
                        .word());
        normal.put(STACK, blueprint.attributes());
        List<Demand> demands = blueprint.needs().stream().map(CapacityNeed::demand).toList();
        return new Plan.Planned(normal, demands);
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        Map<String, @Nullable Object> applied =
                ParameterChanges.apply(current, changes, CHANGEABLE);
        if (isContentChanged(current, applied) && !changes.containsKey(STACK)) {
            // The cloud described another template, not this one.
            applied.remove(STACK);
        }
        Plan plan = plan(applied);
        return running && plan instanceof Plan.Planned planned
                ? keepingNeeds(current, planned)
                : plan;
    }

    /**
     * Keeps the needs of a running stack until the cloud confirms the change. Until then Heat may
     * not have deleted removed parts yet. It never does so if its update fails.
     */
    private static Plan keepingNeeds(Map<String, @Nullable Object> current, Plan.Planned planned) {
        StackDescription before = StackDescription.of(current.get(STACK)).orElseThrow();
        StackDescription after = StackDescription.of(planned.parameters().get(STACK)).orElseThrow();
        PartChanges changes =
                new PartChanges(current, before.parts(), planned.parameters(), after.parts());
        StackDescription changed =
                before.changedTo(
                        after,
                        changes.kept(before.keeping()),
                        changes.stillKept(before.keeping()),
                        changes.additions());
        List<CapacityNeed> needs = changed.needs();
        if (needs.stream().anyMatch(CapacityNeed::isAnywhere)
                && needs.stream().anyMatch(CapacityNeed::isInZone)) {
            return new Plan.Invalid(
                    TEMPLATE,
                    "Servers of a running stack that name no availability zone cannot be joined by"
                            + " servers that name one");
        }
        return planned(planned.parameters(), changed);
    }

    @Override
    public Optional<Plan.Planned> planConfirmed(Map<String, @Nullable Object> parameters) {
        return StackDescription.of(parameters.get(STACK))
                .flatMap(StackDescription::confirmed)
                .map(confirmed -> planned(parameters, confirmed));
    }

    /** Returns whether the stack's content differs. */
    static boolean isContentChanged(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        return NEW_STACK_PARAMETERS.stream()
                .anyMatch(name -> !Objects.equals(before.get(name), after.get(name)));
    }

    /** Returns true also for parts that need nothing from the calendar: Heat changes them. */
    @Override
    public boolean needsAdjustment(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        return isContentChanged(before, after);
    }

    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        Map<String, @Nullable Object> redacted = redact(wish.parameters());
        fields.put(STACK_ID, redacted.get(STACK_ID));
        NEW_STACK_PARAMETERS.forEach(name -> fields.put(name, redacted.get(name)));
        fields.put(ON_END, redacted.get(ON_END));
        return fields;
    }

    @Override
    public Map<String, @Nullable Object> redact(Map<String, @Nullable Object> parameters) {
        return HiddenParameters.mask(parameters);
    }

    @Override
    public List<Nested> nested(ReservationWish wish, Map<String, Object> cloudIds) {
        Map<?, ?> ids = cloudIds.get(RESOURCES) instanceof Map<?, ?> known ? known : Map.of();
        return parts(wish.parameters()).stream()
                .map(
                        part -> {
                            Map<String, @Nullable Object> fields = part.fields();
                            fields.put("cloud_id", ids.get(part.name()));
                            return new Nested(
                                    wish.id().nested(part.name()),
                                    part.kind(),
                                    part.name(),
                                    fields);
                        })
                .toList();
    }

    /** Returns true: Heat creates stacks in the caller's project. */
    @Override
    public boolean actsAsUser(Map<String, @Nullable Object> parameters) {
        return true;
    }

    /** Returns true for a new stack: Heat creates a trust of the stack's creator in itself. */
    @Override
    public boolean passesTrustOn(Map<String, @Nullable Object> parameters) {
        return existing(parameters).isEmpty();
    }

    /** Returns true for a new stack: Heat writes nothing on an existing one without an update. */
    @Override
    public boolean hasNamedCloudObjects(Map<String, @Nullable Object> parameters) {
        return existing(parameters).isEmpty();
    }

    /** Returns true for a stack that the project has already: it is suspended until its start. */
    @Override
    public boolean preparesStart(Map<String, @Nullable Object> parameters) {
        return existing(parameters).isPresent();
    }

    @Override
    public KindDescription description() {
        return StackSchema.DESCRIPTION;
    }

    /** A template may use all that its lease has. */
    @Override
    public Set<ResourceKind> startsAfter() {
        return Set.of(
                ResourceKind.PHYSICAL_HOST,
                ResourceKind.NETWORK,
                ResourceKind.VOLUME,
                ResourceKind.VIRTUAL_INSTANCE,
                ResourceKind.FLAVOR_INSTANCE,
                ResourceKind.SERVER,
                ResourceKind.FLOATING_IP);
    }

    @Override
    public String plural() {
        return "address pools";
    }
}
