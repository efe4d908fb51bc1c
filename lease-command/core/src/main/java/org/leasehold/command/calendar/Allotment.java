package org.leasehold.command.calendar;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Shares resources out among the seekers of one request, no resource to two of them. If every
 * minimum can be met at all then it is met: a seeker takes a resource from another one that has an
 * alternative. What is left goes, in the order of the seekers, towards their maxima.
 */
final class Allotment {

    /**
     * One who seeks resources.
     *
     * @param fixed those that it must have; part of the minimum and of the maximum
     * @param options further ones that would do, the most welcome first
     */
    record Seeker(int minimum, int maximum, List<ResourceId> fixed, List<ResourceId> options) {

        Seeker {
            fixed = List.copyOf(fixed);
            options = List.copyOf(options);
        }
    }

    private final List<Seeker> seekers;
    private final Map<ResourceId, Integer> owners = new HashMap<>();
    private final List<List<ResourceId>> shares = new ArrayList<>();

    private Allotment(List<Seeker> seekers) {
        this.seekers = seekers;
        seekers.forEach(seeker -> shares.add(new ArrayList<>()));
    }

    /** What each seeker gets, in the order of the seekers; less than its minimum if need be. */
    static List<List<ResourceId>> of(List<Seeker> seekers) {
        Allotment allotment = new Allotment(seekers);
        for (int i = 0; i < seekers.size(); i++) {
            for (ResourceId resource : seekers.get(i).fixed()) {
                allotment.give(resource, i);
            }
        }
        boolean allMet = true;
        for (int i = 0; i < seekers.size(); i++) {
            allotment.fill(i, seekers.get(i).minimum());
        }
        for (int i = 0; i < seekers.size(); i++) {
            while (allotment.shares.get(i).size() < seekers.get(i).minimum()
                    && allotment.exchangeFor(i)) {}
            allMet &= allotment.shares.get(i).size() >= seekers.get(i).minimum();
        }
        for (int i = 0; allMet && i < seekers.size(); i++) {
            allotment.fill(i, seekers.get(i).maximum());
        }
        return allotment.shares;
    }

    private void fill(int seeker, int amount) {
        for (ResourceId option : seekers.get(seeker).options()) {
            if (shares.get(seeker).size() >= amount) {
                return;
            }
            if (!owners.containsKey(option)) {
                give(option, seeker);
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
                    handOn(option, asked, inNeed, reached);
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

    private void handOn(ResourceId free, int last, int inNeed, Map<Integer, Link> reached) {
        ResourceId gained = free;
        int seeker = last;
        while (seeker != inNeed) {
            Link link = Objects.requireNonNull(reached.get(seeker));
            shares.get(seeker).remove(link.wanted());
            give(gained, seeker);
            gained = link.wanted();
            seeker = link.by();
        }
        give(gained, inNeed);
    }

    private void give(ResourceId resource, int seeker) {
        owners.put(resource, seeker);
        shares.get(seeker).add(resource);
    }

    /** {@code by} would take {@code wanted} from the seeker that was reached. */
    private record Link(int by, ResourceId wanted) {}
}
