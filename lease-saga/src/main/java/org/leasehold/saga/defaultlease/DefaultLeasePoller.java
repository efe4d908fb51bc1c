package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.DefaultLeaseSource;
import org.leasehold.resource.DefaultLeaseSource.Listing;
import org.leasehold.resource.DefaultLeaseSource.Presence;
import org.leasehold.resource.LeasableObject;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.saga.defaultlease.DefaultLeaseRequester.Result;
import org.leasehold.saga.defaultlease.DefaultLeaseTable.Claim;
import org.leasehold.saga.defaultlease.DefaultLeaseTable.Row;
import org.leasehold.saga.defaultlease.DefaultLeaseTable.State;
import org.leasehold.saga.defaultlease.ServerAssessor.Assessments;
import org.leasehold.saga.node.FailedPolls;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The poller that requests a default lease for each server without a lease, and ends that of a
 * deleted server. While default leases are off, it only does the latter.
 *
 * <p>Every node polls. A row in the database lets one of them send each request, and keeps its id
 * for the next one if that node dies.
 */
final class DefaultLeasePoller {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultLeasePoller.class);

    /** After this time the node that sent a request has died, or failed. */
    static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(1);

    /** The pause after the first refusal; each further one doubles it. */
    static final Duration FIRST_PAUSE = Duration.ofMinutes(10);

    static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    private final Plugins plugins;
    private final Leases leases;
    private final ServerAssessor assessor;
    private final DefaultLeaseTable table;
    private final DefaultLeaseRequester requester;
    private final int maxRequests;
    private final Clock clock;
    private final FailedPolls failedPolls;
    private final boolean requestsEnabled;
    private final BooleanSupplier pollingEnabled;

    /**
     * Creates the poller.
     *
     * @param pollingEnabled whether this node polls
     */
    DefaultLeasePoller(
            Parts parts,
            DefaultLeaseSettings settings,
            Clock clock,
            FailedPolls failedPolls,
            BooleanSupplier pollingEnabled) {
        this.plugins = parts.plugins();
        this.leases = parts.leases();
        this.assessor = parts.assessor();
        this.table = parts.table();
        this.requester = parts.requester();
        this.maxRequests = settings.maxRequestsPerPoll();
        this.requestsEnabled = settings.enabled();
        this.clock = clock;
        this.failedPolls = failedPolls;
        this.pollingEnabled = pollingEnabled;
    }

    /** The parts that the poller uses. */
    record Parts(
            Plugins plugins,
            Leases leases,
            ServerAssessor assessor,
            DefaultLeaseTable table,
            DefaultLeaseRequester requester) {}

    void poll() {
        if (!pollingEnabled.getAsBoolean()) {
            return;
        }
        for (String kind : plugins.kinds()) {
            ResourcePlugin plugin = plugins.find(new ResourceKind(kind)).orElseThrow();
            plugin.defaultLeaseSource().ifPresent(source -> poll(plugin, source));
        }
    }

    private void poll(ResourcePlugin plugin, DefaultLeaseSource source) {
        if (!requestsEnabled && hasNoUnfinishedLease(plugin)) {
            return;
        }
        Instant listedAt = clock.instant();
        LeasedServers before = LeasedServers.read(leases, plugin.kind());
        switch (source.findLeasableObjects()) {
            case Listing.Unknown(var fault) -> {
                failedPolls.record(FailedPolls.Purpose.DEFAULT_LEASES, plugin.kind());
                LOG.atWarn()
                        .addKeyValue("kind", plugin.kind())
                        .log("The servers could not be listed: {}", fault.message());
            }
            case Listing.All(var servers) -> {
                Map<String, Row> rows = table.findAll(plugin.kind());
                // A lease that ended after the listing has changed the server since.
                LeasedServers leased = before.plus(LeasedServers.read(leases, plugin.kind()));
                if (requestsEnabled) {
                    requestLeases(plugin, servers, rows, leased, listedAt);
                }
                storeEnds(servers, rows, leased);
                endLeasesOfDeletedServers(source, servers, rows);
            }
        }
    }

    private boolean hasNoUnfinishedLease(ResourcePlugin plugin) {
        Set<LeaseId> requested =
                table.findAll(plugin.kind()).values().stream()
                        .map(Row::lease)
                        .collect(Collectors.toSet());
        return leases.findUnfinished(requested).isEmpty();
    }

    private void requestLeases(
            ResourcePlugin plugin,
            List<LeasableObject> servers,
            Map<String, Row> rows,
            LeasedServers leased,
            Instant listedAt) {
        List<LeasableObject> due =
                servers.stream().filter(server -> isDue(rows.get(server.id()), listedAt)).toList();
        Assessments assessments = assessor.assess(plugin.kind(), due, leased, listedAt);
        due.stream()
                .filter(assessments::isAffected)
                // Servers whose requests fail do not keep the others waiting.
                .sorted(Comparator.comparing(server -> lastAttempt(rows.get(server.id()))))
                .limit(maxRequests)
                .forEach(
                        server ->
                                runIsolated(
                                        server.id(),
                                        () ->
                                                request(
                                                        server,
                                                        plugin,
                                                        listedAt,
                                                        assessments.contained())));
    }

    private static boolean isDue(@Nullable Row row, Instant now) {
        return row == null || row.isDue(now);
    }

    private static Instant lastAttempt(@Nullable Row row) {
        return row == null || row.nextAttempt() == null ? Instant.EPOCH : row.nextAttempt();
    }

    private void request(
            LeasableObject server,
            ResourcePlugin plugin,
            Instant listedAt,
            ContainedServers contained) {
        Instant until = clock.instant().plus(REQUEST_TIMEOUT);
        table.claim(server, newLease(), listedAt, until)
                .ifPresent(
                        claim ->
                                store(
                                        server,
                                        claim,
                                        request(server, claim.lease(), plugin, contained)));
    }

    private Result request(
            LeasableObject server,
            LeaseId lease,
            ResourcePlugin plugin,
            ContainedServers contained) {
        try {
            return requester.request(
                    server,
                    lease,
                    plugin,
                    () -> assessor.findNewObstacle(server, plugin.kind(), lease, contained));
        } catch (RuntimeException broken) {
            warn(server.id(), broken);
            return new Result.Unknown("The request failed; the log of the node has the cause");
        }
    }

    private void store(LeasableObject server, Claim claim, Result result) {
        LeaseId lease = claim.lease();
        LOG.atInfo()
                .addKeyValue("server_id", server.id())
                .addKeyValue("project_id", server.project())
                .addKeyValue("lease_id", lease)
                .addKeyValue("result", result)
                .log("A default lease is requested");
        switch (result) {
            case Result.Granted _ -> table.storeGrant(server.id(), lease);
            case Result.Refused(String reason, boolean isStored) ->
                    storeRefusal(server, claim, reason, isStored);
            case Result.Unknown(String reason) ->
                    storeRefusal(server, claim, reason, /* isStored= */ false);
        }
    }

    private void storeRefusal(LeasableObject server, Claim claim, String reason, boolean isStored) {
        table.storeRefusal(
                server.id(),
                claim.lease(),
                // A late node may still send a request that the event log does not have. With the
                // same id, it and the next request cannot both succeed.
                isStored ? newLease() : claim.lease(),
                reason,
                clock.instant().plus(pauseAfter(claim.refusals())));
    }

    /** Returns the pause after a refusal that so many others precede. */
    static Duration pauseAfter(int refusals) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(refusals, 20));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    /** Stores ends after the requests: the listing may be older than an end. */
    private void storeEnds(
            List<LeasableObject> servers, Map<String, Row> rows, LeasedServers leased) {
        for (LeasableObject server : servers) {
            Row row = rows.get(server.id());
            if (row != null && row.state() == State.LEASED && leased.find(server.id()) == null) {
                runIsolated(server.id(), () -> storeEnd(row));
            }
        }
    }

    private void storeEnd(Row row) {
        if (requester.isOver(row.lease())) {
            table.storeEnd(row.server(), row.lease(), newLease(), clock.instant());
        }
    }

    private void endLeasesOfDeletedServers(
            DefaultLeaseSource source, List<LeasableObject> servers, Map<String, Row> rows) {
        Set<String> listed = servers.stream().map(LeasableObject::id).collect(Collectors.toSet());
        Instant now = clock.instant();
        rows.values().stream()
                .filter(row -> !listed.contains(row.server()))
                // Another node may be about to send the request.
                .filter(row -> row.state() != State.REQUESTED || row.isDue(now))
                .sorted(Comparator.comparing(Row::server))
                .limit(maxRequests)
                .forEach(row -> runIsolated(row.server(), () -> endIfDeleted(source, row)));
    }

    private void endIfDeleted(DefaultLeaseSource source, Row row) {
        // The server may have had another project when its lease was requested.
        ProjectId project = requester.projectOf(row.lease()).orElse(row.project());
        if (source.check(row.server(), project) == Presence.DELETED
                && requester.endAfterDeletion(row.lease())) {
            table.delete(row.server(), row.lease());
            LOG.atInfo()
                    .addKeyValue("server_id", row.server())
                    .addKeyValue("lease_id", row.lease())
                    .log("A server with a default lease was deleted");
        }
    }

    /** Processes one server, so that its failure does not stop the others. */
    private static void runIsolated(String server, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException broken) {
            warn(server, broken);
        }
    }

    private static void warn(String server, RuntimeException broken) {
        LOG.atWarn()
                .setCause(broken)
                .addKeyValue("server_id", server)
                .log("The default lease of a server could not be processed");
    }

    private static LeaseId newLease() {
        return new LeaseId(UUID.randomUUID());
    }
}
