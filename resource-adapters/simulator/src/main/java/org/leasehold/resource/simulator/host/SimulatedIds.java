package org.leasehold.resource.simulator.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.Acting.Result;
import org.leasehold.vocabulary.ReservationId;

import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The ids that a real Nova would assign. Here they derive from the reservation's id. */
public final class SimulatedIds {

    private static final String AFFINITY = "affinity";

    private SimulatedIds() {}

    /** Returns the result of a start, with ids if it succeeded. */
    public static Result withIds(Result result, Assignment assignment) {
        return result instanceof Result.Done ? new Result.Done(of(assignment)) : result;
    }

    private static Map<String, Object> of(Assignment assignment) {
        ReservationId reservation = assignment.reservation();
        Map<String, Object> ids = new TreeMap<>();
        ids.put("aggregate_id", reservation.value().hashCode() & Integer.MAX_VALUE);
        if (assignment.parameters().get(AFFINITY) instanceof Boolean) {
            ids.put("server_group_id", serverGroup(reservation));
        }
        return ids;
    }

    private static String serverGroup(ReservationId reservation) {
        return UUID.nameUUIDFromBytes(("server group of " + reservation).getBytes(UTF_8))
                .toString();
    }
}
