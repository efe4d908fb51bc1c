package org.leasehold.gateway.api.operation;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.operation.DriftResponses.Unseen;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.DefaultLeases;
import org.leasehold.vocabulary.LeaseId;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Responses for operators about default leases. */
public final class DefaultLeaseResponses {

    private DefaultLeaseResponses() {}

    /**
     * Servers in the cloud, and what the settings of default leases mean for them.
     *
     * @param next the marker of the next page, if any
     */
    record DefaultLeaseList(
            boolean enabled,
            List<DefaultLeaseServer> servers,
            List<Unseen> unseen,
            @Nullable String next) {

        static DefaultLeaseList of(DefaultLeases.Report report, Page<DefaultLeases.Server> page) {
            return new DefaultLeaseList(
                    report.enabled(),
                    page.items().stream().map(DefaultLeaseServer::of).toList(),
                    report.unseen().stream().map(Unseen::of).toList(),
                    page.next());
        }
    }

    /** A server, and what the settings of default leases mean for it. */
    record DefaultLeaseServer(
            String serverId,
            String projectId,
            String flavor,
            DefaultLeaseVerdict verdict,
            @Nullable String reason,
            @Nullable UUID leaseId,
            @Nullable Instant nextAttemptAt) {

        static DefaultLeaseServer of(DefaultLeases.Server server) {
            LeaseId lease = server.lease();
            return new DefaultLeaseServer(
                    server.id(),
                    server.project().value(),
                    server.flavor(),
                    DefaultLeaseVerdict.of(server.verdict()),
                    server.reason(),
                    lease == null ? null : lease.value(),
                    server.nextAttempt());
        }
    }
}
