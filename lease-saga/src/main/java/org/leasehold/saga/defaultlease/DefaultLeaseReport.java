package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.readmodel.operation.DefaultLeases;
import org.leasehold.readmodel.operation.Drift.Unseen;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.DefaultLeaseSource.Listing;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.Plugins;
import org.leasehold.saga.defaultlease.DefaultLeaseTable.Row;
import org.leasehold.saga.defaultlease.DefaultLeaseTable.State;
import org.leasehold.saga.defaultlease.ServerAssessor.Assessments;
import org.leasehold.vocabulary.LeaseId;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The report of default leases: the policy applied to the servers of the cloud. */
final class DefaultLeaseReport implements DefaultLeases {

    private final Plugins plugins;
    private final Leases leases;
    private final ServerAssessor assessor;
    private final DefaultLeaseTable table;
    private final boolean enabled;
    private final Clock clock;

    DefaultLeaseReport(
            Plugins plugins,
            Leases leases,
            ServerAssessor assessor,
            DefaultLeaseTable table,
            boolean enabled,
            Clock clock) {
        this.plugins = plugins;
        this.leases = leases;
        this.assessor = assessor;
        this.table = table;
        this.enabled = enabled;
        this.clock = clock;
    }

    @Override
    public Report report() {
        List<Server> servers = new ArrayList<>();
        List<Unseen> unseen = new ArrayList<>();
        for (String name : plugins.kinds()) {
            ResourceKind kind = new ResourceKind(name);
            plugins.find(kind)
                    .orElseThrow()
                    .defaultLeaseSource()
                    .ifPresent(source -> collect(kind, source, servers, unseen));
        }
        return new Report(enabled, servers, unseen);
    }

    private void collect(
            ResourceKind kind,
            DefaultLeaseSource source,
            List<Server> servers,
            List<Unseen> unseen) {
        switch (source.findLeasableObjects()) {
            case Listing.Unknown(var fault) -> unseen.add(new Unseen(kind, fault.message()));
            case Listing.All(var found) -> {
                LeasedServers leased = LeasedServers.read(leases, kind);
                // Rows from a time in which the feature was on say nothing about the dry run.
                Map<String, Row> rows = enabled ? table.findAll(kind) : Map.of();
                Assessments assessments = assessor.assess(kind, found, leased, clock.instant());
                for (LeasableObject server : found) {
                    servers.add(describe(server, assessments.of(server), rows.get(server.id())));
                }
            }
        }
    }

    private static Server describe(
            LeasableObject server, Assessment assessment, @Nullable Row row) {
        return switch (assessment) {
            case Assessment.Leased(LeaseId lease) ->
                    server(server, Verdict.LEASED, null, lease, null);
            case Assessment.Exempt(String reason) ->
                    server(server, Verdict.EXEMPT, reason, null, null);
            case Assessment.Pending(String reason) ->
                    server(server, Verdict.PENDING, reason, null, null);
            case Assessment.Unleasable(String reason) ->
                    server(server, Verdict.REFUSED, reason, null, null);
            case Assessment.Affected _ when row == null || row.state() == State.ENDED ->
                    server(server, Verdict.AFFECTED, null, null, null);
            case Assessment.Affected _ -> describeRequest(server, row);
        };
    }

    private static Server describeRequest(LeasableObject server, Row row) {
        return switch (row.state()) {
            case REFUSED -> server(server, Verdict.REFUSED, row.reason(), null, row.nextAttempt());
            // The grant is newer than the list of leases, or its end is not stored yet.
            case LEASED -> server(server, Verdict.LEASED, null, row.lease(), null);
            case REQUESTED, ENDED ->
                    server(
                            server,
                            Verdict.PENDING,
                            "A request is in progress",
                            null,
                            row.nextAttempt());
        };
    }

    private static Server server(
            LeasableObject server,
            Verdict verdict,
            @Nullable String reason,
            @Nullable LeaseId lease,
            @Nullable Instant nextAttempt) {
        return new Server(
                server.id(),
                server.project(),
                server.flavor(),
                verdict,
                reason,
                lease,
                nextAttempt);
    }
}
