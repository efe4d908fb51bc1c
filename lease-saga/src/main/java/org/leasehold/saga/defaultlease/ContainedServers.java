package org.leasehold.saga.defaultlease;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.lease.ReservationView;
import org.leasehold.resource.ContainedServerSource;
import org.leasehold.resource.ContainedServerSource.Listing;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The servers that leases have as parts of other objects, such as those of a leased stack. */
final class ContainedServers {

    private static final Logger LOG = LoggerFactory.getLogger(ContainedServers.class);

    private final Map<String, LeaseId> leases = new HashMap<>();

    /** The leases whose servers were listed. */
    private final Set<LeaseId> listed = new HashSet<>();

    /** The projects with a lease whose servers could not be listed. */
    private final Set<ProjectId> uncertain = new HashSet<>();

    private ContainedServers() {}

    /**
     * Reads the servers of some projects. It sends the cloud a query for each leased stack of
     * theirs, and none without such projects.
     */
    static ContainedServers read(Plugins plugins, Leases leases, Set<ProjectId> projects) {
        ContainedServers found = new ContainedServers();
        if (projects.isEmpty()) {
            return found;
        }
        for (String name : plugins.kinds()) {
            ResourceKind kind = new ResourceKind(name);
            plugins.find(kind)
                    .flatMap(ResourcePlugin::containedServerSource)
                    .ifPresent(
                            source ->
                                    LeasedServers.forEachUnended(
                                            leases,
                                            null,
                                            kind,
                                            (lease, reservation) -> {
                                                if (projects.contains(lease.projectId())) {
                                                    found.add(source, lease, reservation);
                                                }
                                            }));
        }
        return found;
    }

    private void add(ContainedServerSource source, LeaseView lease, ReservationView reservation) {
        listed.add(lease.id());
        switch (source.findServers(reservation.id(), lease.projectId(), reservation.parameters())) {
            case Listing.All(var servers) ->
                    servers.forEach(server -> leases.putIfAbsent(server, lease.id()));
            case Listing.Unknown(var fault) -> {
                uncertain.add(lease.projectId());
                LOG.atWarn()
                        .addKeyValue("lease_id", lease.id())
                        .addKeyValue("reservation_id", reservation.id())
                        .log("The servers of a stack could not be listed: {}", fault.message());
            }
        }
    }

    /** Returns the assessment of a server that would get a default lease otherwise. */
    Assessment assess(LeasableObject server) {
        LeaseId lease = leases.get(server.id());
        if (lease != null) {
            return new Assessment.Leased(lease);
        }
        return uncertain.contains(server.project())
                ? new Assessment.Pending("The servers of a leased stack could not be listed")
                : new Assessment.Affected();
    }

    /** Returns whether the project has a lease of a stack that this reading does not have. */
    boolean lacksLease(Plugins plugins, Leases current, ProjectId project) {
        Set<LeaseId> missing = new HashSet<>();
        for (String name : plugins.kinds()) {
            ResourceKind kind = new ResourceKind(name);
            if (plugins.find(kind).flatMap(ResourcePlugin::containedServerSource).isPresent()) {
                LeasedServers.forEachUnended(
                        current, project, kind, (lease, _) -> missing.add(lease.id()));
            }
        }
        missing.removeAll(listed);
        return !missing.isEmpty();
    }
}
