package org.leasehold.saga.defaultlease;

import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.leasetag.OpenLeaseTags;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The assessor of listed servers: the policy, applied to the leases and lease tags of now. */
final class ServerAssessor {

    private final Plugins plugins;
    private final Leases leases;
    private final OpenLeaseTags leaseTags;
    private final DefaultLeasePolicy policy;

    ServerAssessor(
            Plugins plugins, Leases leases, OpenLeaseTags leaseTags, DefaultLeasePolicy policy) {
        this.plugins = plugins;
        this.leases = leases;
        this.leaseTags = leaseTags;
        this.policy = policy;
    }

    /**
     * The assessments of one listing.
     *
     * @param byServer by the id of the server
     */
    record Assessments(Map<String, Assessment> byServer, ContainedServers contained) {

        Assessment of(LeasableObject server) {
            return Objects.requireNonNull(byServer.get(server.id()));
        }

        boolean isAffected(LeasableObject server) {
            return of(server) instanceof Assessment.Affected;
        }
    }

    /** Assesses the servers of a kind. */
    Assessments assess(
            ResourceKind kind, List<LeasableObject> servers, LeasedServers leased, Instant now) {
        Set<String> tagged = leaseTags.find(kind, servers);
        Map<String, Assessment> assessments = new HashMap<>();
        for (LeasableObject server : servers) {
            assessments.put(
                    server.id(),
                    policy.assess(
                            server, leased.find(server.id()), tagged.contains(server.id()), now));
        }
        List<LeasableObject> affected =
                servers.stream()
                        .filter(
                                server ->
                                        assessments.get(server.id()) instanceof Assessment.Affected)
                        .toList();
        Set<ProjectId> projects =
                affected.stream().map(LeasableObject::project).collect(Collectors.toSet());
        ContainedServers contained = ContainedServers.read(plugins, leases, projects);
        affected.forEach(server -> assessments.put(server.id(), contained.assess(server)));
        return new Assessments(assessments, contained);
    }

    /**
     * Returns the reason why an affected server must not get the lease any more; empty for none.
     * The leases may have changed since the assessment.
     */
    Optional<String> findNewObstacle(
            LeasableObject server, ResourceKind kind, LeaseId own, ContainedServers contained) {
        return LeasedServers.findOther(leases, server, kind, own)
                .map("The lease %s has the server"::formatted)
                .or(
                        () ->
                                contained.lacksLease(plugins, leases, server.project())
                                        ? Optional.of("The project has leased a stack meanwhile")
                                        : Optional.empty());
    }
}
