package org.example.parking;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Survey;
import org.leasehold.vocabulary.ReservationId;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The acting half: lets cars in and out. Every space from space-1 to space-100 exists; even ones
 * have a roof.
 */
final class ParkingActing implements Acting {

    private static final Pattern SPACE = Pattern.compile("space-([1-9][0-9]?|100)");

    private final ParkingLog log;

    ParkingActing(ParkingLog log) {
        this.log = log;
    }

    @Override
    public Discovery discover(String name) {
        Matcher space = SPACE.matcher(name);
        if (!space.matches()) {
            return new Discovery.NotFound();
        }
        Map<String, @Nullable Object> attributes = new TreeMap<>();
        attributes.put("covered", Integer.parseInt(space.group(1)) % 2 == 0);
        return new Discovery.Found(name, null, null, attributes);
    }

    @Override
    public Result enrol(ResourceId id, String name) {
        return new Result.Done();
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return new Result.Done();
    }

    @Override
    public Result onStart(Assignment assignment) {
        return assignExactly(assignment);
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return assignExactly(assignment);
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return new Result.Done();
    }

    @Override
    public Result onEnd(Assignment assignment) {
        String reservation = assignment.reservation().toString();
        return log.change(
                book -> {
                    if (!assignment.fence().isValid()) {
                        return supersededResult();
                    }
                    book.spacesOf(reservation).forEach(space -> book.release(space, reservation));
                    return new Result.Done();
                });
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return log.read().spacesOf(reservation.toString()).stream()
                .map(space -> space + " of " + reservation)
                .toList();
    }

    @Override
    public Survey survey() {
        Map<ReservationId, List<String>> things = new LinkedHashMap<>();
        for (String reservation : log.read().reservations()) {
            ReservationId id = ReservationId.of(reservation);
            things.put(id, inspect(id));
        }
        return new Survey.Seen(things);
    }

    private Result assignExactly(Assignment assignment) {
        String reservation = assignment.reservation().toString();
        List<String> wanted = assignment.resources().stream().map(Allocation::name).toList();
        return log.change(
                book -> {
                    if (!assignment.fence().isValid()) {
                        return supersededResult();
                    }
                    for (String space : wanted) {
                        @Nullable String owner = book.ownerOf(space);
                        if (owner != null && !owner.equals(reservation)) {
                            return new Result.Failed(
                                    new Fault(
                                            Fault.Kind.INSUFFICIENT_RESOURCES,
                                            space + " belongs to " + owner));
                        }
                    }
                    book.spacesOf(reservation).stream()
                            .filter(space -> !wanted.contains(space))
                            .forEach(space -> book.release(space, reservation));
                    wanted.stream()
                            .filter(space -> book.ownerOf(space) == null)
                            .forEach(space -> book.assign(space, reservation));
                    return new Result.Done();
                });
    }

    private static Result supersededResult() {
        return new Result.Failed(
                new Fault(Fault.Kind.RETRYABLE, "another process has finished this call"));
    }
}
