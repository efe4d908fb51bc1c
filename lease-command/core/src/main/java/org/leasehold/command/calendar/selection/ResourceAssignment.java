package org.leasehold.command.calendar.selection;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Assigns resources to the seekers of one request, each resource to one of them. It meets all
 * minima if that is possible at all: a seeker takes a resource from another one that has an
 * alternative. The rest goes, in the order of the seekers, towards their maxima.
 */
public final class ResourceAssignment {

    /**
     * A seeker of resources.
     *
     * @param fixed those that it must have; part of the minimum and of the maximum
     * @param options other suitable ones, the preferred ones first
     */
    public record Seeker(
            int minimum, int maximum, List<ResourceId> fixed, List<ResourceId> options) {

        public Seeker {
            fixed = List.copyOf(fixed);
            options = List.copyOf(options);
        }
    }

    private final List<Seeker> seekers;
    private final Map<ResourceId, Integer> owners = new HashMap<>();
    private final List<List<ResourceId>> assigned = new ArrayList<>();

    private ResourceAssignment(List<Seeker> seekers) {
        this.seekers = seekers;
        seekers.forEach(seeker -> assigned.add(new ArrayList<>()));
    }

    /**
     * Returns the resources of each seeker, in their order; fewer than its minimum if necessary.
     */
    public static List<List<ResourceId>> of(List<Seeker> seekers) {
        if (seekers.size() == 1) {
            return List.of(assignAlone(seekers.getFirst()));
        }
        ResourceAssignment allotment = new ResourceAssignment(seekers);
        for (int i = 0; i < seekers.size(); i++) {
            for (ResourceId resource : seekers.get(i).fixed()) {
                allotment.assign(resource, i);
            }
        }
        boolean allMet = true;
        for (int i = 0; i < seekers.size(); i++) {
            allotment.assignUpTo(i, seekers.get(i).minimum());
        }
        for (int i = 0; i < seekers.size(); i++) {
            while (allotment.assigned.get(i).size() < seekers.get(i).minimum()
                    && allotment.exchangeFor(i)) {}
            allMet &= allotment.assigned.get(i).size() >= seekers.get(i).minimum();
        }
        for (int i = 0; allMet && i < seekers.size(); i++) {
            allotment.assignUpTo(i, seekers.get(i).maximum());
        }
        return allotment.assigned;
    }

    /** Assigns resources to a seeker that has no rival. */
    private static List<ResourceId> assignAlone(Seeker seeker) {
        List<ResourceId> all = new ArrayList<>(seeker.fixed());
        Set<ResourceId> fixed = Set.copyOf(seeker.fixed());
        for (ResourceId option : seeker.options()) {
            if (all.size() >= seeker.maximum()) {
                break;
            }
            if (!fixed.contains(option)) {
                all.add(option);
            }
        }
        return all;
    }

    private void assignUpTo(int seeker, int amount) {
        for (ResourceId option : seekers.get(seeker).options()) {
            if (assigned.get(seeker).size() >= amount) {
                return;
            }
            if (!owners.containsKey(option)) {
                assign(option, seeker);
            }
        }
    }

    /**
     * Finds the shortest chain of seekers in which each hands one on and the last takes a free one.
     */
    private boolean exchangeFor(int inNeed) {
        Map<Integer, Link> reached = new HashMap<>();
        Deque<Integer> toAsk = new ArrayDeque<>(List.of(inNeed));
        while (!toAsk.isEmpty()) {
            int asked = toAsk.remove();
            for (ResourceId option : seekers.get(asked).options()) {
                @Nullable Integer owner = owners.get(option);
                if (owner == null) {
                    shiftAlongChain(option, asked, inNeed, reached);
                    return true;
                }
                if (owner != inNeed
                        && !reached.containsKey(owner)
                        && !seekers.get(owner).fixed().contains(option)) {
                    reached.put(owner, new Link(asked, option));
                    toAsk.add(owner);
                }
            }
        }
        return false;
    }

    private void shiftAlongChain(
            ResourceId free, int last, int inNeed, Map<Integer, Link> reached) {
        ResourceId gained = free;
        int seeker = last;
        while (seeker != inNeed) {
            Link link = Objects.requireNonNull(reached.get(seeker));
            assigned.get(seeker).remove(link.wanted());
            assign(gained, seeker);
            gained = link.wanted();
            seeker = link.by();
        }
        assign(gained, inNeed);
    }

    private void assign(ResourceId resource, int seeker) {
        owners.put(resource, seeker);
        assigned.get(seeker).add(resource);
    }

    /** {@code by} would take {@code wanted} from the seeker that was reached. */
    private record Link(int by, ResourceId wanted) {}
}
