package org.leasehold.simulation.memory;

import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.resource.Acting;
import org.leasehold.resource.Replacement;
import org.leasehold.resource.Survey;
import org.leasehold.vocabulary.ReservationId;

import java.util.ArrayList;
import java.util.List;

/**
 * Acts for hosts that start after the others of their lease. It takes back the hosts that a change
 * in progress removes: the calendar holds them until then.
 */
record LaterHostActing(Acting hosts) implements Acting {

    @Override
    public Result onStart(Assignment assignment) {
        Assignment smaller = remaining(assignment);
        return smaller.equals(assignment)
                ? hosts.onStart(assignment)
                // A repeated start may find all of them in the cloud.
                : both(hosts.onStart(assignment), smaller, removed(assignment, List.of()));
    }

    private Result both(Result started, Assignment smaller, List<Allocation> leaving) {
        return started instanceof Result.Done ? hosts.onAdjust(smaller, leaving) : started;
    }

    @Override
    public Result onAdjust(Assignment assignment, List<Allocation> leaving) {
        return hosts.onAdjust(remaining(assignment), removed(assignment, leaving));
    }

    @Override
    public Result onAdjust(
            Assignment assignment, List<Allocation> leaving, List<Replacement> replacements) {
        return hosts.onAdjust(remaining(assignment), removed(assignment, leaving), replacements);
    }

    /** Returns the assignment without the hosts that a change in progress removes. */
    private static Assignment remaining(Assignment assignment) {
        return new Assignment(
                assignment.lease(),
                assignment.reservation(),
                assignment.project(),
                assignment.user(),
                assignment.period(),
                assignment.parameters(),
                assignment.resources().subList(0, count(assignment)),
                assignment.fence(),
                assignment.others(),
                assignment.trust());
    }

    private static int count(Assignment assignment) {
        int all = assignment.resources().size();
        return Math.min(all, LaterHostPlanning.remaining(assignment.parameters()).orElse(all));
    }

    private static List<Allocation> removed(Assignment assignment, List<Allocation> leaving) {
        List<Allocation> removed = new ArrayList<>(leaving);
        removed.addAll(
                assignment.resources().subList(count(assignment), assignment.resources().size()));
        return removed;
    }

    @Override
    public Discovery discover(String name) {
        return hosts.discover(name);
    }

    @Override
    public Result enrol(ResourceId id, String name) {
        return hosts.enrol(id, name);
    }

    @Override
    public Result retire(ResourceId id, String name) {
        return hosts.retire(id, name);
    }

    @Override
    public Result prepare(Assignment assignment) {
        return hosts.prepare(assignment);
    }

    @Override
    public Result beforeEnd(Assignment assignment) {
        return hosts.beforeEnd(assignment);
    }

    @Override
    public Result onEnd(Assignment assignment) {
        return hosts.onEnd(assignment);
    }

    @Override
    public List<String> inspect(ReservationId reservation) {
        return hosts.inspect(reservation);
    }

    @Override
    public Survey survey() {
        return hosts.survey();
    }
}
