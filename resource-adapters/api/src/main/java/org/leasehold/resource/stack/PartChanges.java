package org.leasehold.resource.stack;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The parts that a running stack loses in a change, and the needs that the change adds. */
final class PartChanges {

    private final List<StackComponent> before;
    private final List<StackComponent> after;
    private final ReplacedResources replaced;
    private final DeletionPolicies policies;
    private final DeletionPolicies newPolicies;

    /**
     * Compares two requests of a stack.
     *
     * @param current the parameters before the change, as a plan normalised them
     * @param before the parts before the change
     * @param changed the parameters after the change
     * @param after the parts after the change
     */
    PartChanges(
            Map<String, @Nullable Object> current,
            List<StackComponent> before,
            Map<String, @Nullable Object> changed,
            List<StackComponent> after) {
        this.before = AutoscalingMembers.numbered(CapacityNeed.located(before), current);
        this.after = AutoscalingMembers.numbered(CapacityNeed.located(after), changed);
        this.replaced = new ReplacedResources(current, changed);
        this.policies = DeletionPolicies.of(current);
        this.newPolicies = DeletionPolicies.of(changed);
    }

    /**
     * Returns the parts that the stack loses and that Heat may keep beside it. It loses a part that
     * Heat replaces, too.
     *
     * @param keeping the names of parts that an earlier policy keeps, which Heat may still have
     */
    List<StackComponent> kept(List<String> keeping) {
        return mayStay(keeping)
                .filter(
                        part ->
                                after.stream().noneMatch(part::continuesAs)
                                        || replaced.contains(part))
                .toList();
    }

    /**
     * Returns the names of the parts that Heat keeps by an earlier policy only: it still has that
     * one if the update fails.
     *
     * @param keeping such names before the change
     */
    List<String> stillKept(List<String> keeping) {
        return mayStay(keeping)
                .filter(part -> !newPolicies.mayKeep(part))
                .map(StackComponent::name)
                .toList();
    }

    private Stream<StackComponent> mayStay(List<String> keeping) {
        return before.stream()
                .filter(part -> policies.mayKeep(part) || keeping.contains(part.name()));
    }

    /**
     * Returns what Heat needs beside all that the stack has, until it has completed the update: it
     * creates first, and deletes afterwards. A part that Heat changes in place needs only more.
     */
    List<CapacityNeed> additions() {
        List<CapacityNeed> more = new ArrayList<>();
        for (StackComponent part : after) {
            Optional<StackComponent> earlier =
                    before.stream()
                            .filter(each -> each.continuesAs(part) && !replaced.contains(each))
                            .findFirst();
            more.addAll(
                    CapacityNeed.excess(
                            List.of(part.need()),
                            earlier.map(each -> List.of(each.need())).orElse(List.of())));
        }
        return more;
    }
}
