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
import org.leasehold.lease.LeaseId;
import org.leasehold.saga.reaction.Processors;
import org.leasehold.saga.reaction.Reaction;
import org.leasehold.saga.reaction.Reactions;
import org.leasehold.saga.task.PluginTask;

import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Remembers what a resource is called until it is retired: that event only has its number. And
 * whether it is down, and which leases know so: a word to a lease may be late, and is taken back
 * when it was heard too late.
 */
@ProcessingGroup(Processors.INVENTORY)
public final class InventorySaga {

    private static final String RESOURCE = "resourceId";

    private @Nullable String kind;
    private @Nullable String name;

    /** Why it is down; null while it is not. */
    private @Nullable String down;

    /** The leases that say that they lack it. */
    private SortedSet<String> lacking = new TreeSet<>();

    /**
     * Public, as the class is, because Axon makes sagas by reflection without asking for access.
     */
    public InventorySaga() {}

    @StartSaga
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceEnrolled event, EventMessage<?> message, Reactions reactions) {
        kind = event.kind().value();
        name = event.name();
        submit(
                new PluginTask.Enrol(event.resourceId(), event.kind(), event.name()),
                message,
                reactions);
    }

    /** What an operator says of it does not change what becomes of what runs there. */
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceDisabled event, EventMessage<?> message, Reactions reactions) {
        switch (event.extent()) {
            case null -> {}
            case CLOSED -> recover(event.resourceId(), message, reactions);
            case DOWN -> {
                down = event.reason();
                List<String> affected = event.affected().stream().map(LeaseId::toString).toList();
                // Whoever is over meanwhile never says that it recovered.
                lacking.retainAll(affected);
                tell(affected, event.resourceId(), message, reactions);
            }
        }
    }

    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceEnabled event, EventMessage<?> message, Reactions reactions) {
        recover(event.resourceId(), message, reactions);
    }

    private void recover(ResourceId resource, EventMessage<?> message, Reactions reactions) {
        down = null;
        tell(lacking, resource, message, reactions);
    }

    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceFailed event, EventMessage<?> message, Reactions reactions) {
        String lease = event.leaseId().toString();
        lacking.add(lease);
        if (down == null) {
            tell(List.of(lease), event.resourceId(), message, reactions);
        }
    }

    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceRecovered event, EventMessage<?> message, Reactions reactions) {
        String lease = event.leaseId().toString();
        lacking.remove(lease);
        if (down != null) {
            tell(List.of(lease), event.resourceId(), message, reactions);
        }
    }

    /** Tells leases what it is now, at once. */
    private void tell(
            Collection<String> leases,
            ResourceId resource,
            EventMessage<?> message,
            Reactions reactions) {
        reactions.carryOut(
                leases.stream()
                        .<Reaction>map(
                                lease ->
                                        Reaction.noteOutage(
                                                LeaseId.of(lease),
                                                resource,
                                                message.getTimestamp(),
                                                down))
                        .toList(),
                message);
    }

    @EndSaga
    @SagaEventHandler(associationProperty = RESOURCE)
    void on(ResourceRetired event, EventMessage<?> message, Reactions reactions) {
        if (kind != null && name != null) {
            submit(
                    new PluginTask.Retire(event.resourceId(), new ResourceKind(kind), name),
                    message,
                    reactions);
        }
    }

    private static void submit(PluginTask task, EventMessage<?> message, Reactions reactions) {
        reactions.carryOut(List.of(new Reaction.Submit(task)), message);
    }
}
