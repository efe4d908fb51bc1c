package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.resource.Acting.Assignment;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.PollingWait;
import org.leasehold.resource.openstack.heat.ExistingStack;
import org.leasehold.resource.openstack.heat.Heat;
import org.leasehold.resource.openstack.heat.HeatChanges;
import org.leasehold.resource.openstack.heat.StackContent;
import org.leasehold.resource.stack.StackPlanning;
import org.leasehold.vocabulary.TrustId;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Requests to Heat for a reservation. All use the trust if it is valid. Without a trust, the engine
 * can do all but create or update a stack.
 */
final class StackOperations {

    /** The statuses if the trust is gone, or its user lacks the right. */
    private static final Set<Integer> USER_REJECTED_STATUSES = Set.of(401, 403, 404);

    /** The statuses if a caller may not see the content. A stack that is gone confirms nothing. */
    private static final Set<Integer> HIDING_STATUSES = Set.of(401, 403);

    private final Heat heat;

    /** The client with the trust; null without one. */
    private final @Nullable Heat userHeat;

    private final PollingWait pollingWait;
    private final Assignment assignment;

    StackOperations(Heat heat, PollingWait patience, Assignment assignment) {
        this.heat = heat;
        TrustId trust = assignment.trust();
        this.userHeat = trust == null ? null : heat.withTrust(trust);
        this.pollingWait = patience;
        this.assignment = assignment;
    }

    Assignment assignment() {
        return assignment;
    }

    /** Returns the stack of a name in the lease's project. */
    Optional<ExistingStack> findByName(String name) {
        Optional<ExistingStack> listed =
                callAsUser(
                        as ->
                                as == heat
                                        ? heat.findByName(name, assignment.project())
                                        : as.findByName(name));
        // A list omits some fields.
        return listed.flatMap(stack -> find(stack.name(), stack.id()));
    }

    Optional<ExistingStack> find(String name, String id) {
        return callAsUser(as -> as.stack(name, id));
    }

    /** Returns the stack's id and the ids of its resources. */
    Map<String, Object> ids(ExistingStack stack) {
        Map<String, Object> resources = new TreeMap<>();
        callAsUser(as -> as.resourcesOf(stack)).stream()
                .filter(resource -> !resource.cloudId().isEmpty())
                .forEach(resource -> resources.put(resource.name(), resource.cloudId()));
        return Map.of(StackPlanning.STACK_ID, stack.id(), StackPlanning.RESOURCES, resources);
    }

    /**
     * Returns whether a stack with the request's tag still has its content: an update can leave the
     * tags as they are. If Heat does not show the content, the tag is enough.
     *
     * @param comparison whether the content is that of the request
     */
    boolean hasContent(ExistingStack stack, Predicate<StackContent> comparison) {
        try {
            return !stack.hasAction("UPDATE")
                    || comparison.test(callAsUser(as -> as.contentOf(stack), HIDING_STATUSES));
        } catch (CloudFailure failure) {
            if (HIDING_STATUSES.contains(failure.status())) {
                return true;
            }
            throw failure;
        }
    }

    /** Creates the stack, unless it exists; first waits until Heat has freed its name. */
    void createIfAbsent(Supplier<Optional<ExistingStack>> stack, Predicate<HeatChanges> create) {
        pollingWait.await(
                () ->
                        stack.get().isPresent() || create.test(userChanges())
                                ? Optional.empty()
                                : Optional.of("Heat has yet to free the name of a deleted stack"));
    }

    /** Waits until Heat has finished the present action. */
    void awaitIdle(Supplier<Optional<ExistingStack>> stack) {
        awaitState(() -> stack.get().filter(ExistingStack::isBusy));
    }

    /**
     * Waits until Heat has finished an update. Heat accepts an update before it begins: for a
     * moment, it still shows the last state, with the last tag.
     *
     * @param before the stack before the update
     * @param tag the stack's tag after the update
     * @return the time that identifies the update; empty if Heat shows none
     */
    Optional<String> awaitUpdate(
            Supplier<Optional<ExistingStack>> stack, ExistingStack before, String tag) {
        AtomicReference<@Nullable String> first = new AtomicReference<>();
        awaitState(
                () -> {
                    Optional<ExistingStack> found = stack.get();
                    Optional<ExistingStack> waiting =
                            found.filter(shown -> isYetToBegin(shown, before, tag));
                    if (waiting.isEmpty()) {
                        found.ifPresent(shown -> first.compareAndSet(null, shown.updated()));
                    }
                    return waiting.or(() -> found.filter(ExistingStack::isBusy));
                });
        return Optional.ofNullable(first.get())
                .filter(time -> !time.isEmpty() && !time.equals(before.updated()));
    }

    private static boolean isYetToBegin(ExistingStack stack, ExistingStack before, String tag) {
        boolean hasTag = stack.tags().contains(tag);
        // Two updates can begin in one second: then only the tag distinguishes them.
        return !stack.isBusy()
                && (stack.updated().isEmpty()
                        ? !stack.hasFailed() && !hasTag
                        : stack.updated().equals(before.updated())
                                && !(hasTag && !before.tags().contains(tag)));
    }

    /** Suspends the stack, unless it is suspended or gone. */
    void suspend(Supplier<Optional<ExistingStack>> stack) {
        ensureState(stack, ExistingStack::isSuspended, HeatChanges::suspend);
    }

    /**
     * Requests a state, and waits until the stack has it or is gone. The call sends at most one
     * request, when the stack is not busy, and a retry sends another.
     */
    void ensureState(
            Supplier<Optional<ExistingStack>> stack,
            Predicate<ExistingStack> there,
            BiConsumer<HeatChanges, ExistingStack> change) {
        AtomicBoolean asked = new AtomicBoolean();
        awaitState(
                () -> {
                    Optional<ExistingStack> left =
                            stack.get().filter(found -> found.isBusy() || !there.test(found));
                    left.filter(found -> !found.isBusy())
                            .filter(_ -> asked.compareAndSet(false, true))
                            .ifPresent(found -> sendChange(found, change));
                    return left;
                });
    }

    /** Deletes the stack. Heat cancels its present action for that. */
    void delete(Supplier<Optional<ExistingStack>> stack) {
        AtomicBoolean asked = new AtomicBoolean();
        awaitState(
                () -> {
                    Optional<ExistingStack> left = stack.get();
                    left.filter(found -> !(found.hasAction("DELETE") && found.isBusy()))
                            .filter(_ -> asked.compareAndSet(false, true))
                            .ifPresent(found -> sendChange(found, HeatChanges::delete));
                    return left;
                });
    }

    /** Waits, and fails: as {@code UNDERWAY} while Heat is busy, otherwise as retryable. */
    private void awaitState(Supplier<Optional<ExistingStack>> look) {
        pollingWait
                .awaitRemaining(look)
                .ifPresent(
                        stack -> {
                            throw failure(
                                    stack.isBusy() ? Fault.Kind.UNDERWAY : Fault.Kind.RETRYABLE,
                                    stack + " has not got there yet");
                        });
    }

    void sendChange(ExistingStack stack, BiConsumer<HeatChanges, ExistingStack> change) {
        callAsUser(
                as -> {
                    change.accept(changes(as), stack);
                    return stack;
                });
    }

    private <T> T callAsUser(Function<Heat, T> call) {
        return callAsUser(call, USER_REJECTED_STATUSES);
    }

    /** Repeats a user's call as the engine if it fails with one of these statuses. */
    private <T> T callAsUser(Function<Heat, T> call, Set<Integer> repeated) {
        if (userHeat != null) {
            try {
                return call.apply(userHeat);
            } catch (CloudFailure failure) {
                if (!repeated.contains(failure.status())) {
                    throw failure;
                }
            }
        }
        return call.apply(heat);
    }

    /**
     * Returns changes that only the user can make.
     *
     * @throws CloudFailure without a trust
     */
    HeatChanges userChanges() {
        if (userHeat == null) {
            throw failure(
                    Fault.Kind.DENIED,
                    "Only the project can have a stack made or changed, and whoever asked for the"
                            + " lease has given no trust to do so");
        }
        return changes(userHeat);
    }

    private HeatChanges changes(Heat as) {
        return as.fencedBy(assignment.fence());
    }

    static CloudFailure failure(Fault.Kind kind, String message) {
        return new CloudFailure(kind, CloudFailure.NO_ANSWER, message);
    }
}
