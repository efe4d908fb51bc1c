package org.leasehold.resource.openstack.compute;

import org.leasehold.resource.openstack.FakeOpenStack.Said;
import org.leasehold.resource.openstack.placement.FakePlacement;
import org.leasehold.resource.openstack.placement.ResourceProvider;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * A fake of Nova's moves of servers. A move takes effect after the next query for servers. As in
 * Nova, the scheduler checks the target, and a server of a dead host takes its slot there until the
 * host comes up.
 */
final class FakeServerMoves {

    private static final String UNCONFIRMED = "VERIFY_RESIZE";
    private static final Set<String> MOVES =
            Set.of("os-migrateLive", "migrate", "evacuate", "confirmResize");

    private final FakePlacement placement;
    private final Function<String, FakeHost> hosts;
    private final FakeAggregates aggregates;
    private final Map<FakeGuest, Move> current = new LinkedHashMap<>();
    private final List<Move> all = new ArrayList<>();

    /** The moves whose servers are on the target, and still take their slots on the source. */
    private final List<Move> arrived = new ArrayList<>();

    FakeServerMoves(
            FakePlacement placement, Function<String, FakeHost> hosts, FakeAggregates aggregates) {
        this.placement = placement;
        this.hosts = hosts;
        this.aggregates = aggregates;
    }

    /** A move, and the status of the server before it. */
    private static final class Move {
        private final int id;
        private final String action;
        private final FakeGuest guest;
        private final String from;
        private final String to;
        private final String statusBefore;
        private String status = "running";
        private boolean isSeen;

        /** The number of queries for servers before Nova frees what the server had. */
        private int queriesLeft = 3;

        /** The changes of the source's slots when the server had arrived. */
        private int slotChanges;

        Move(int id, String action, FakeGuest guest, String to) {
            this.id = id;
            this.action = action;
            this.guest = guest;
            this.from = guest.host;
            this.to = to;
            this.statusBefore = guest.status;
        }
    }

    private static Map<String, Object> shown(Move move) {
        return Map.of(
                "id", move.id,
                "source_compute", move.from,
                "dest_compute", move.to,
                "status", move.status);
    }

    static boolean isMove(JsonNode body) {
        return MOVES.stream().anyMatch(body::has);
    }

    /** Returns whether the server itself shows that it moves. */
    boolean isMoving(FakeGuest guest) {
        return current.containsKey(guest) && !guest.movesQuietly;
    }

    Said list(Map<String, String> query) {
        return Said.json(
                200,
                Map.of(
                        "migrations",
                        all.stream()
                                .filter(move -> move.guest.id.equals(query.get("instance_uuid")))
                                .map(FakeServerMoves::shown)
                                .toList()));
    }

    Said act(FakeGuest guest, JsonNode body) {
        String action = MOVES.stream().filter(body::has).findFirst().orElseThrow();
        if (isMoving(guest) || guest.busy) {
            return refused(guest, action, "task_state migrating");
        }
        if (action.equals("confirmResize")) {
            return confirm(guest);
        }
        boolean dead = !hosts.apply(guest.host).up;
        if (action.equals("evacuate") && !dead) {
            return FakeNova.refused(400, "Compute service is still in use.");
        }
        if (!allowed(action).contains(guest.status)) {
            return refused(guest, action, "vm_state " + guest.status);
        }
        String to = body.path(action).path("host").asString();
        Move move = new Move(all.size() + 1, action, guest, to);
        all.add(move);
        current.put(guest, move);
        return Said.nothing(202);
    }

    private static Set<String> allowed(String action) {
        return switch (action) {
            case "os-migrateLive" -> Set.of("ACTIVE", "PAUSED");
            case "migrate" -> Set.of("ACTIVE", "SHUTOFF");
            default -> Set.of("ACTIVE", "SHUTOFF", "ERROR");
        };
    }

    private static Said refused(FakeGuest guest, String action, String state) {
        return FakeNova.refused(
                409,
                "Cannot '%s' instance %s while it is in %s".formatted(action, guest.id, state));
    }

    private Said confirm(FakeGuest guest) {
        if (!guest.status.equals(UNCONFIRMED)) {
            return FakeNova.refused(400, "Instance has not been resized.");
        }
        Move cold = all.stream().filter(move -> move.guest.equals(guest)).toList().getLast();
        if (!cold.status.equals("finished")) {
            return FakeNova.refused(400, "Instance has not been resized.");
        }
        cold.status = "confirming";
        cold.slotChanges = slotChanges(cold);
        arrived.add(cold);
        return Said.nothing(204);
    }

    /** Ends the moves that were requested before. */
    void settle() {
        List<Move> over = arrived.stream().filter(move -> move.queriesLeft-- <= 0).toList();
        over.forEach(this::free);
        arrived.removeAll(over);
        List<Move> due =
                current.values().stream()
                        .filter(move -> !move.guest.movesForever)
                        .filter(move -> !move.guest.movesQuietly || move.isSeen)
                        .toList();
        current.values().forEach(move -> move.isSeen = true);
        due.forEach(
                move -> {
                    current.remove(move.guest);
                    if (succeeds(move)) {
                        arrive(move);
                    } else {
                        move.status = "error";
                    }
                });
    }

    private boolean succeeds(Move move) {
        FakeGuest guest = move.guest;
        boolean isLive = move.action.equals("os-migrateLive");
        boolean isFromDead = !hosts.apply(move.from).up && !move.action.equals("evacuate");
        return !guest.failsToMove
                && !(isLive && guest.movesOnlyCold)
                && !isFromDead
                && hosts.apply(move.to).up
                && isAdmitted(guest, move.to)
                && guest.slot.map(slot -> placement.take(partOf(move.to), slot)).orElse(true);
    }

    /** Returns whether the target is in a reservation, as the server's slot or zone requires. */
    private boolean isAdmitted(FakeGuest guest, String to) {
        return guest.slot.isPresent()
                ? aggregates.isKnownIn(guest.flavor, to)
                : aggregates.zoneOf(to).filter(NovaAggregate::isReservationZone).isPresent();
    }

    private void arrive(Move move) {
        FakeGuest guest = move.guest;
        guest.host = move.to;
        move.slotChanges = slotChanges(move);
        switch (move.action) {
            case "migrate" -> {
                guest.status = UNCONFIRMED;
                move.status = "finished";
            }
            case "evacuate" -> {
                move.status = "done";
                guest.slot.ifPresent(
                        slot ->
                                placement.addAllocations(
                                        guest.id, slot, partOf(move.from), partOf(move.to)));
            }
            default -> {
                move.status = "completed";
                arrived.add(move);
            }
        }
    }

    private int slotChanges(Move move) {
        return move.guest.slot.isPresent() ? placement.inventoryChanges(partOf(move.from)) : 0;
    }

    /** Frees what an arrived server had; as in Nova, fails after a change of the inventory. */
    private void free(Move move) {
        if (slotChanges(move) != move.slotChanges) {
            move.guest.status = "ERROR";
            move.status = "error";
            return;
        }
        move.guest.slot.ifPresent(slot -> placement.giveBack(partOf(move.from), slot));
        move.guest.status = move.statusBefore;
        if (move.action.equals("migrate")) {
            move.status = "confirmed";
        }
    }

    private String partOf(String service) {
        return ResourceProvider.reservablePartOf(hosts.apply(service).name);
    }
}
