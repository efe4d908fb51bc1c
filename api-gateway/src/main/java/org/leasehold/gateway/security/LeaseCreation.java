package org.leasehold.gateway.security;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.LeaseTrusts;
import org.leasehold.command.Outcome;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationWish;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.resource.identity.Trusts.Entrusting.Entrusted;
import org.leasehold.resource.identity.Trusts.Entrusting.Failed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes leases. Where something of one is done as its user, they trust the engine once it is
 * accepted: only they can, and only now. Without a trust the lease goes on; its plugin says what
 * that means.
 */
public final class LeaseCreation {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseCreation.class);

    private final Commands commands;
    private final Plugins plugins;
    private final @Nullable LeaseTrusts kept;
    private final @Nullable Trusts trusts;

    /**
     * @param kept null where nothing is done on the cloud
     * @param trusts null where users do not log in with the cloud
     */
    LeaseCreation(
            Commands commands,
            Plugins plugins,
            @Nullable LeaseTrusts kept,
            @Nullable Trusts trusts) {
        this.commands = commands;
        this.plugins = plugins;
        this.kept = kept;
        this.trusts = trusts;
    }

    /** As {@link Commands#send}. */
    public Outcome<LeaseRejection> create(
            CreateLease lease, CommandContext context, HttpServletRequest request) {
        String token = request.getHeader(TokenFilter.TOKEN);
        if (trusts == null
                || kept == null
                || token == null
                || lease.reservations().stream().noneMatch(this::actsAsUser)
                || !kept.expect(lease.leaseId(), context.now())) {
            return commands.send(lease, context);
        }
        boolean entrusted = false;
        try {
            Outcome<LeaseRejection> outcome = commands.send(lease, context);
            entrusted = outcome instanceof Outcome.Accepted && entrust(lease, token, kept, trusts);
            return outcome;
        } finally {
            if (!entrusted) {
                kept.forget(lease.leaseId());
            }
        }
    }

    private boolean actsAsUser(ReservationWish wish) {
        return plugins.find(wish.kind())
                .map(plugin -> actsAsUser(plugin.planning(), wish))
                .orElse(false);
    }

    private static boolean actsAsUser(Planning planning, ReservationWish wish) {
        return planning.plan(wish.parameters()) instanceof Planning.Plan.Planned planned
                && planning.actsAsUser(planned.parameters());
    }

    private static boolean entrust(
            CreateLease lease, String token, LeaseTrusts kept, Trusts trusts) {
        return switch (trusts.entrust(lease.userId(), lease.projectId(), token)) {
            case Entrusted(var trust) -> {
                kept.keep(lease.leaseId(), trust);
                yield true;
            }
            case Failed(var fault) -> {
                LOG.atWarn()
                        .addKeyValue("lease_id", lease.leaseId())
                        .log("Its user does not trust the engine: {}", fault.message());
                yield false;
            }
        };
    }
}
