package org.leasehold.resource.server;

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
 * Plans reservations of servers: each is one server that its project has already. It needs the
 * server's room in its availability zone, or in any zone if it is shelved already. The server is
 * shelved until the lease starts. {@link ServerRequestCompleter} has added its size before. Unknown
 * parameters are ignored.
 */
public final class ServerPlanning implements Planning {

    /** The id of the project's server. */
    public static final String SERVER_ID = "server_id";

    /** The action at the start: {@link ServerStartAction}. */
    public static final String ON_START = "on_start";

    /** The action at the end: {@link ServerEndAction}. */
    public static final String ON_END = "on_end";

    /** The cloud's description of the server: {@link ComputeCapacity}. */
    static final String SERVER = "server";

    /** The parameters that can change: another server would be another reservation. */
    private static final List<String> CHANGEABLE = List.of(ON_START, ON_END);

    private static final Pattern ID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    /** Returns the id of the server; it is valid if the parameters have no misfit. */
    public static String serverId(Map<String, @Nullable Object> parameters) {
        return String.valueOf(parameters.get(SERVER_ID));
    }

    @Override
    public Plan plan(Map<String, @Nullable Object> parameters) {
        return validate(parameters)
                .<Plan>map(found -> found)
                .orElseGet(
                        () ->
                                ComputeCapacity.of(parameters.get(SERVER))
                                        .map(room -> planned(parameters, room))
                                        .orElseGet(
                                                () ->
                                                        new Plan.Invalid(
                                                                SERVER_ID,
                                                                notFound(serverId(parameters)))));
    }

    /** Returns an error in a request, whatever the cloud says about its server. */
    static Optional<Plan.Invalid> validate(Map<String, @Nullable Object> parameters) {
        return InvalidParameters.withoutValue(parameters, SERVER_ID)
                .or(() -> validateId(parameters.get(SERVER_ID)))
                .or(() -> InvalidParameters.unknown(parameters, ON_START, ServerStartAction.class))
                .or(() -> InvalidParameters.unknown(parameters, ON_END, ServerEndAction.class));
    }

    private static Optional<Plan.Invalid> validateId(@Nullable Object id) {
        return id instanceof String text && ID.matcher(text).matches()
                ? Optional.empty()
                : InvalidParameters.malformed(SERVER_ID, "must be a server's id");
    }

    static String notFound(String id) {
        return "Server " + id + " could not be found.";
    }

    private static Plan planned(Map<String, @Nullable Object> parameters, ComputeCapacity room) {
        Map<String, @Nullable Object> normal = new LinkedHashMap<>();
        normal.put(SERVER_ID, serverId(parameters));
        normal.put(
                ON_START,
                ParameterKeyword.of(ServerStartAction.class, parameters.get(ON_START))
                        .orElse(ServerStartAction.UNSHELVE)
                        .word());
        // A server that existed before is deleted only on explicit request.
        normal.put(
                ON_END,
                ParameterKeyword.of(ServerEndAction.class, parameters.get(ON_END))
                        .orElse(ServerEndAction.SHELVE)
                        .word());
        normal.put(SERVER, room.attributes());
        return new Plan.Planned(
                normal,
                new Demand.Shared(
                        ResourceKind.SERVER,
                        1,
                        room.amounts(),
                        inZone(room.zone()),
                        Spread.TOGETHER));
    }

    /** Returns the requirement for a zone. A server that is in none can return in any. */
    private static Requirement inZone(String zone) {
        return zone.isEmpty()
                ? Requirement.none()
                : new Comparison(Operator.EQUAL, ComputeCapacity.ZONE, zone);
    }

    @Override
    public Plan change(
            Map<String, @Nullable Object> current,
            Map<String, @Nullable Object> changes,
            boolean running) {
        return switch (plan(ParameterChanges.apply(current, changes, CHANGEABLE))) {
            case Plan.Invalid invalid -> invalid;
            case Plan.Planned planned ->
                    running && !sameStart(current, planned.parameters())
                            ? new Plan.Invalid(
                                    ON_START,
                                    "Cannot change on_start of a reservation that has already"
                                            + " started")
                            : planned;
        };
    }

    private static boolean sameStart(
            Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        return Objects.equals(before.get(ON_START), after.get(ON_START));
    }

    @Override
    public Map<String, @Nullable Object> render(ReservationWish wish) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (String name : List.of(SERVER_ID, ON_START, ON_END)) {
            fields.put(name, wish.parameters().get(name));
        }
        ComputeCapacity.of(wish.parameters().get(SERVER))
                .ifPresent(
                        room -> {
                            fields.put(ComputeCapacity.ZONE, room.zone());
                            fields.put("vcpus", room.vcpus());
                            fields.put("memory_mb", room.memoryMb());
                            fields.put("disk_gb", room.diskGb());
                        });
        return fields;
    }

    /** Returns true: an image belongs to the project that requests it, and shelving creates one. */
    @Override
    public boolean actsAsUser(Map<String, @Nullable Object> parameters) {
        return true;
    }

    /** Returns true: before its start the server is shelved, whatever the start does. */
    @Override
    public boolean preparesStart(Map<String, @Nullable Object> parameters) {
        return true;
    }

    @Override
    public KindDescription description() {
        return ServerSchema.DESCRIPTION;
    }

    /** Uses the networks and the volumes of its lease, and may run on its hosts. */
    @Override
    public Set<ResourceKind> startsAfter() {
        return Set.of(ResourceKind.PHYSICAL_HOST, ResourceKind.NETWORK, ResourceKind.VOLUME);
    }

    @Override
    public String plural() {
        return "availability zones";
    }
}
