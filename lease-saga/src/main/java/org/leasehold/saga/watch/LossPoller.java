package org.leasehold.saga.watch;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.LeaseCommand.RecordOutage;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.readmodel.resource.Resources;
import org.leasehold.resource.Acting;
import org.leasehold.resource.LossResult;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.inventory.InventorySaga;
import org.leasehold.saga.node.FailedPolls.Purpose;
import org.leasehold.saga.reconciliation.HeldResources;
import org.leasehold.saga.reconciliation.HeldResources.Holder;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ReservationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * The poller that finds running reservations of which a part was removed in the cloud. Their leases
 * lack the resources until the part is back: an operator's retry restores it.
 *
 * <p>Every node polls: the second one to notice has nothing to do.
 */
final class LossPoller {

    private static final Logger LOG = LoggerFactory.getLogger(LossPoller.class);

    /** The limit of one poll for reservations that it sees first; the rest follows. */
    static final int MAX_NEW = 1_000;

    /** The limit of one poll for lost reservations; those without a report go first. */
    static final int MAX_LOST = 100;

    private final Plugins plugins;
    private final HeldResources held;
    private final Resources resources;
    private final Commands commands;
    private final PollContext context;

    /** The kinds of all holders so far: they never change, and reading a lease takes time. */
    private final Map<ReservationId, ResourceKind> kinds = new HashMap<>();

    /** The reservations that may lack resources: the end of a loss is reported for them. */
    private final Set<ReservationId> lacking = new HashSet<>();

    LossPoller(
            Plugins plugins,
            HeldResources held,
            Resources resources,
            Commands commands,
            PollContext context) {
        this.plugins = plugins;
        this.held = held;
        this.resources = resources;
        this.commands = commands;
        this.context = context;
    }

    void poll() {
        if (!context.node().works()) {
            return;
        }
        Map<ReservationId, LeaseId> holders = held.holders();
        kinds.keySet().retainAll(holders.keySet());
        lacking.retainAll(holders.keySet());
        holders.entrySet().stream()
                .filter(each -> !kinds.containsKey(each.getKey()))
                .limit(MAX_NEW)
                .toList()
                .forEach(
                        each ->
                                held.find(each.getValue(), each.getKey())
                                        .ifPresent(this::remember));
        plugins.kinds().stream().map(ResourceKind::new).forEach(kind -> poll(kind, holders));
    }

    private void remember(Holder holder) {
        ReservationView reservation = holder.reservation();
        kinds.put(reservation.id(), reservation.kind());
        if (reservation.down() != null) {
            lacking.add(reservation.id());
        }
    }

    private void poll(ResourceKind kind, Map<ReservationId, LeaseId> holders) {
        List<ReservationId> ofKind =
                kinds.entrySet().stream()
                        .filter(each -> each.getValue().equals(kind))
                        .map(Map.Entry::getKey)
                        .toList();
        if (ofKind.isEmpty()) {
            return;
        }
        Acting acting = plugins.find(kind).orElseThrow().acting();
        switch (acting.findLosses(ofKind)) {
            case LossResult.Unchecked _ -> {}
            case LossResult.Unknown(var fault) -> {
                context.failedPolls().record(Purpose.LOSSES, kind);
                LOG.atWarn()
                        .addKeyValue("kind", kind)
                        .log("Losses could not be read from the cloud: {}", fault.message());
            }
            case LossResult.Known(var lost) -> {
                reportLosses(acting, findHolders(selectLost(lost), holders));
                Set<ReservationId> whole = new HashSet<>(lacking);
                whole.retainAll(ofKind);
                whole.removeAll(lost);
                findHolders(whole, holders).forEach(this::reportRecovery);
            }
        }
    }

    private List<ReservationId> selectLost(Set<ReservationId> lost) {
        return lost.stream()
                .sorted(Comparator.comparing(lacking::contains))
                .limit(MAX_LOST)
                .toList();
    }

    private List<Holder> findHolders(
            Collection<ReservationId> wanted, Map<ReservationId, LeaseId> holders) {
        List<Holder> found = new ArrayList<>();
        for (ReservationId each : wanted) {
            LeaseId lease = holders.get(each);
            if (lease != null) {
                held.find(lease, each).ifPresent(found::add);
            }
        }
        return found;
    }

    /** Reports losses of active reservations if a second reading confirms them. */
    private void reportLosses(Acting acting, List<Holder> suspects) {
        List<Holder> active = suspects.stream().filter(Holder::isActive).toList();
        if (active.isEmpty()) {
            return;
        }
        // A start that has just ended has given what the first reading missed.
        List<ReservationId> ids = active.stream().map(each -> each.reservation().id()).toList();
        if (acting.findLosses(ids) instanceof LossResult.Known(var confirmed)) {
            active.stream()
                    .filter(each -> confirmed.contains(each.reservation().id()))
                    .forEach(this::reportLoss);
        }
    }

    private void reportLoss(Holder holder) {
        lacking.add(holder.reservation().id());
        List<ResourceId> down = down(holder.reservation());
        holder.reservation().allocations().stream()
                .map(Allocation::resource)
                .distinct()
                // An outage of the resource is no report of this loss: it may be a disabling.
                .filter(resource -> !down.contains(resource) || !isInService(resource))
                .forEach(resource -> send(holder, resource, InventorySaga.PART_REMOVED));
    }

    /** Reports the end of a loss; a resource that is out of service has reports of its own. */
    private void reportRecovery(Holder holder) {
        List<ResourceId> down = down(holder.reservation());
        if (down.isEmpty()) {
            lacking.remove(holder.reservation().id());
        }
        down.stream().filter(this::isInService).forEach(resource -> send(holder, resource, null));
    }

    private static List<ResourceId> down(ReservationView reservation) {
        return Objects.requireNonNullElse(reservation.down(), List.of());
    }

    private boolean isInService(ResourceId resource) {
        return resources.find(resource).filter(found -> found.disabledReason() == null).isPresent();
    }

    private void send(Holder holder, ResourceId resource, @Nullable String reason) {
        RecordOutage report =
                new RecordOutage(holder.lease(), resource, holder.reservation().id(), reason);
        LOG.atInfo()
                .addKeyValue("lease_id", holder.lease())
                .addKeyValue("reservation_id", holder.reservation().id())
                .addKeyValue("command", report)
                .log("A reservation has lost a part in the cloud, or has it again");
        // A rejection means that the lease has ended meanwhile.
        commands.send(
                report,
                CommandContext.ofEngine(
                        context.clock().instant(), "req-" + UUID.randomUUID(), null));
    }
}
