package org.leasehold.saga.inventory;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceEvent;
import org.leasehold.inventory.ResourceEvent.ResourceChanged;
import org.leasehold.inventory.ResourceEvent.ResourceDescribed;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.vocabulary.LeaseId;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The saga of a resource: its tasks in the cloud, and the reports of its outages to leases. A
 * report may arrive late; the saga then corrects it.
 */
final class InventoryReactions {

    private InventoryReactions() {}

    /**
     * The state of the saga, in the form in which it is stored. The retirement needs the kind and
     * the name, because its event has only the id.
     *
     * @param down the reason of the outage; null without an outage
     * @param kind the kind of the resource; null before its enrolment
     * @param lacking the leases whose events say that they lack the resource
     * @param name the name of the resource; null before its enrolment
     */
    record State(
            @Nullable String down,
            @Nullable String kind,
            SortedSet<String> lacking,
            @Nullable String name) {

        static final State INITIAL = new State(null, null, Collections.emptySortedSet(), null);

        State {
            // The oldest stored states have no leases.
            lacking =
                    lacking == null
                            ? Collections.emptySortedSet()
                            : Collections.unmodifiableSortedSet(new TreeSet<>(lacking));
        }

        private State withOutage(@Nullable String reason, SortedSet<String> leases) {
            return new State(reason, kind, leases, name);
        }
    }

    /** The next state, and the reactions. */
    record Step(State state, List<Reaction> reactions) {

        Step {
            reactions = List.copyOf(reactions);
        }

        private Step and(List<Reaction> more) {
            return new Step(state, Stream.concat(reactions.stream(), more.stream()).toList());
        }
    }

    static Step react(State state, ResourceEvent event) {
        return switch (event) {
            case ResourceEnrolled(var id, var kind, var name, _, _, _, _) ->
                    new Step(
                            new State(state.down(), kind.value(), state.lacking(), name),
                            List.of(new Reaction.Submit(new PluginTask.Enrol(id, kind, name))));
            case ResourceDisabled disabled -> disable(state, disabled).and(replace(disabled));
            case ResourceEnabled(var id) -> recover(state, id);
            case ResourceRetired(var id) -> new Step(state, retire(state, id));
            case ResourceChanged _, ResourceDescribed _ -> new Step(state, List.of());
        };
    }

    /** Ignores the loss of a lease's own part, which the poller that found it corrects. */
    static Step react(State state, ResourceFailed event) {
        if (event.reason().equals(InventorySaga.PART_REMOVED)) {
            return new Step(state, List.of());
        }
        String lease = event.leaseId().toString();
        SortedSet<String> lacking = new TreeSet<>(state.lacking());
        lacking.add(lease);
        return new Step(
                state.withOutage(state.down(), lacking),
                state.down() == null
                        ? report(List.of(lease), event.resourceId(), null)
                        : List.of(
                                new Reaction.ReplaceLater(
                                        event.leaseId(),
                                        event.reservationId(),
                                        event.resourceId())));
    }

    static Step react(State state, ResourceRecovered event) {
        String lease = event.leaseId().toString();
        SortedSet<String> lacking = new TreeSet<>(state.lacking());
        lacking.remove(lease);
        return new Step(
                        state.withOutage(state.down(), lacking),
                        state.down() == null
                                ? List.of()
                                : report(List.of(lease), event.resourceId(), state.down()))
                .and(
                        List.of(
                                Reaction.cancelReplacement(
                                        event.leaseId(),
                                        event.reservationId(),
                                        event.resourceId())));
    }

    private static Step disable(State state, ResourceDisabled event) {
        return switch (event.extent()) {
            // An operator's disabling does not affect what runs on the resource.
            case null -> new Step(state, List.of());
            case CLOSED -> recover(state, event.resourceId());
            case DOWN -> fail(state, event);
        };
    }

    /** Requests a replacement for each lease, of which those that run do nothing. */
    private static List<Reaction> replace(ResourceDisabled event) {
        return event.affected().stream()
                .<Reaction>map(lease -> new Reaction.ReplaceResource(lease, event.resourceId()))
                .toList();
    }

    private static Step fail(State state, ResourceDisabled event) {
        List<String> affected = event.affected().stream().map(LeaseId::toString).toList();
        // Leases that ended meanwhile never report its recovery.
        SortedSet<String> lacking = new TreeSet<>(state.lacking());
        lacking.retainAll(affected);
        return new Step(
                state.withOutage(event.reason(), lacking),
                report(affected, event.resourceId(), event.reason()));
    }

    private static Step recover(State state, ResourceId resource) {
        return new Step(
                state.withOutage(null, state.lacking()), report(state.lacking(), resource, null));
    }

    private static List<Reaction> retire(State state, ResourceId id) {
        return state.kind() == null || state.name() == null
                ? List.of()
                : List.of(
                        new Reaction.Submit(
                                new PluginTask.Retire(
                                        id, new ResourceKind(state.kind()), state.name())));
    }

    private static List<Reaction> report(
            Collection<String> leases, ResourceId resource, @Nullable String reason) {
        return leases.stream()
                .<Reaction>map(
                        lease -> new Reaction.ReportOutage(LeaseId.of(lease), resource, reason))
                .toList();
    }
}
