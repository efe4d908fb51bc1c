package org.leasehold.saga.inventory;

import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.modelling.saga.EndSaga;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.axonframework.modelling.saga.StartSaga;
import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceEvent.ResourceDisabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnabled;
import org.leasehold.inventory.ResourceEvent.ResourceEnrolled;
import org.leasehold.inventory.ResourceEvent.ResourceRetired;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.LeaseEvent.ResourceFailed;
import org.leasehold.lease.LeaseEvent.ResourceRecovered;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.reaction.ReactionExecutor;
import org.leasehold.saga.reaction.SagaProcessors;
import org.leasehold.saga.task.PluginTask;
import org.leasehold.vocabulary.LeaseId;

import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The saga of a resource, with its name until its retirement, because that event has only its id.
 * It also stores an outage, and the leases that know it. A report to a lease may arrive late, and
 * is then corrected.
 */
@ProcessingGroup(SagaProcessors.INVENTORY)
public final class InventorySaga {

    /**
     * The reason why a lease lacks a resource that works, but of which it lost its own part. It is
     * in events, and never changes.
     */
    public static final String PART_REMOVED = "In the cloud a part of the reservation was removed";

    private static final String RESOURCE = "resourceId";

    private @Nullable String kind;
    private @Nullable String name;

    /** The reason of the outage; null without an outage. */
    private @Nullable String down;

    /** The leases whose events say that they lack it. */
    private SortedSet<String> lacking = new TreeSet<>();

    /** Public, as the class is, because Axon creates sagas by reflection without access rights. */
    public InventorySaga() {}

    @StartSaga
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceEnrolled event, EventMessage<?> message, ReactionExecutor reactions) {
        kind = event.kind().value();
        name = event.name();
        submit(
                new PluginTask.Enrol(event.resourceId(), event.kind(), event.name()),
                message,
                reactions);
    }

    /** Ignores an operator's disabling, which does not affect what runs on the resource. */
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceDisabled event, EventMessage<?> message, ReactionExecutor reactions) {
        switch (event.extent()) {
            case null -> {}
            case CLOSED -> recover(event.resourceId(), message, reactions);
            case DOWN -> {
                down = event.reason();
                List<String> affected = event.affected().stream().map(LeaseId::toString).toList();
                // Leases that ended meanwhile never report its recovery.
                lacking.retainAll(affected);
                sendOutageTimers(affected, event.resourceId(), message, reactions);
            }
        }
    }

    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceEnabled event, EventMessage<?> message, ReactionExecutor reactions) {
        recover(event.resourceId(), message, reactions);
    }

    private void recover(ResourceId resource, EventMessage<?> message, ReactionExecutor reactions) {
        down = null;
        sendOutageTimers(lacking, resource, message, reactions);
    }

    /** Ignores the loss of a lease's own part, which the poller that found it corrects. */
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceFailed event, EventMessage<?> message, ReactionExecutor reactions) {
        if (event.reason().equals(PART_REMOVED)) {
            return;
        }
        String lease = event.leaseId().toString();
        lacking.add(lease);
        if (down == null) {
            sendOutageTimers(List.of(lease), event.resourceId(), message, reactions);
        }
    }

    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceRecovered event, EventMessage<?> message, ReactionExecutor reactions) {
        String lease = event.leaseId().toString();
        lacking.remove(lease);
        if (down != null) {
            sendOutageTimers(List.of(lease), event.resourceId(), message, reactions);
        }
    }

    /** Sends leases the current state at once. */
    private void sendOutageTimers(
            Collection<String> leases,
            ResourceId resource,
            EventMessage<?> message,
            ReactionExecutor reactions) {
        reactions.execute(
                leases.stream()
                        .<Reaction>map(
                                lease ->
                                        Reaction.setOutageTimer(
                                                LeaseId.of(lease),
                                                resource,
                                                message.getTimestamp(),
                                                down))
                        .toList(),
                message);
    }

    @EndSaga
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceRetired event, EventMessage<?> message, ReactionExecutor reactions) {
        if (kind != null && name != null) {
            submit(
                    new PluginTask.Retire(event.resourceId(), new ResourceKind(kind), name),
                    message,
                    reactions);
        }
    }

    private static void submit(
            PluginTask task, EventMessage<?> message, ReactionExecutor reactions) {
        reactions.execute(List.of(new Reaction.Submit(task)), message);
    }
}
