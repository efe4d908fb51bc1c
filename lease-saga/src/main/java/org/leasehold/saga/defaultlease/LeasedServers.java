package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.SortDirection;
import org.leasehold.readmodel.lease.LeaseFilter;
import org.leasehold.readmodel.lease.LeaseOrder;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.Leases.ListLeases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.server.ServerPlanning;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** The servers that a lease has now or later, also one that is retried. */
final class LeasedServers {

    private static final Set<LeaseStatus> UNENDED =
            EnumSet.complementOf(EnumSet.of(LeaseStatus.ENDED));

    private static final int PAGE_SIZE = 1_000;

    private final Map<String, LeaseId> leases;

    private LeasedServers(Map<String, LeaseId> leases) {
        this.leases = Map.copyOf(leases);
    }

    /** Reads the servers of all projects. */
    static LeasedServers read(Leases leases, ResourceKind kind) {
        Map<String, LeaseId> found = new HashMap<>();
        forEachUnended(
                leases,
                null,
                kind,
                (lease, reservation) -> found.putIfAbsent(serverId(reservation), lease.id()));
        return new LeasedServers(found);
    }

    /** Returns a lease of the server's project, other than one, that has the server. */
    static Optional<LeaseId> findOther(
            Leases leases, LeasableObject server, ResourceKind kind, LeaseId own) {
        List<LeaseId> others = new ArrayList<>();
        forEachUnended(
                leases,
                server.project(),
                kind,
                (lease, reservation) -> {
                    if (!lease.id().equals(own) && serverId(reservation).equals(server.id())) {
                        others.add(lease.id());
                    }
                });
        return others.stream().findFirst();
    }

    private static String serverId(ReservationView reservation) {
        return ServerPlanning.serverId(reservation.parameters());
    }

    /**
     * Reads the reservations of a kind in leases that have not ended.
     *
     * @param project null for all projects
     */
    static void forEachUnended(
            Leases leases,
            @Nullable ProjectId project,
            ResourceKind kind,
            BiConsumer<LeaseView, ReservationView> action) {
        ListLeases question =
                new ListLeases(
                        new LeaseFilter(project, UNENDED, null, null, kind, null, null, null, null),
                        new LeaseOrder(LeaseOrder.Key.CREATED, SortDirection.ASCENDING),
                        null,
                        PAGE_SIZE);
        Page<LeaseView> page = leases.list(question);
        visit(page, kind, action);
        for (String next = page.next(); next != null; next = page.next()) {
            page = leases.list(question.after(next));
            visit(page, kind, action);
        }
    }

    private static void visit(
            Page<LeaseView> page,
            ResourceKind kind,
            BiConsumer<LeaseView, ReservationView> action) {
        for (LeaseView lease : page.items()) {
            lease.reservations().stream()
                    .filter(reservation -> reservation.kind().equals(kind))
                    .forEach(reservation -> action.accept(lease, reservation));
        }
    }

    /** Returns the servers of both readings. */
    LeasedServers plus(LeasedServers other) {
        Map<String, LeaseId> both = new HashMap<>(leases);
        both.putAll(other.leases);
        return new LeasedServers(both);
    }

    /** Returns the lease that has a server; null for none. */
    @Nullable LeaseId find(String server) {
        return leases.get(server);
    }
}
