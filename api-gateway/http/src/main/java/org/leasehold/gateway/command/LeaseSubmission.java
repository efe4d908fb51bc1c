package org.leasehold.gateway.command;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.LeaseTrusts;
import org.leasehold.command.Outcome;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.TokenFilter;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.lease.LeaseCommand.ChangeLease;
import org.leasehold.lease.LeaseCommand.CreateLease;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.lease.ReservationChange;
import org.leasehold.lease.ReservationWish;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.resource.Planning;
import org.leasehold.resource.Plugins;
import org.leasehold.resource.ResourcePlugin;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.resource.identity.Trusts.Entrusting.Entrusted;
import org.leasehold.resource.identity.Trusts.Entrusting.Failed;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates and changes leases. If a plug-in acts as the user of a lease, that user creates a trust
 * for the engine once the lease is accepted: only they can, and only now. A lease has one trust; a
 * user whose change needs one creates it if there is none. Without a trust the lease continues; its
 * plug-in describes the consequences.
 */
public final class LeaseSubmission {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseSubmission.class);

    private final Commands commands;
    private final Plugins plugins;
    private final @Nullable LeaseTrusts leaseTrusts;
    private final @Nullable Trusts trusts;
    private final Clock clock;

    /**
     * @param kept null where nothing is done on the cloud
     * @param trusts null where users do not log in with the cloud
     */
    public LeaseSubmission(
            Commands commands,
            Plugins plugins,
            @Nullable LeaseTrusts kept,
            @Nullable Trusts trusts,
            Clock clock) {
        this.commands = commands;
        this.plugins = plugins;
        this.leaseTrusts = kept;
        this.trusts = trusts;
        this.clock = clock;
    }

    /** Creates a lease; see {@link Commands#send}. */
    public Outcome<LeaseRejection> create(
            CreateLease lease, CommandContext context, HttpServletRequest request) {
        Trustor trustor = new Trustor(lease.userId(), lease.projectId(), lease.reservations());
        return send(lease, trustor, context, request);
    }

    /**
     * Changes a lease; see {@link Commands#send}.
     *
     * @param lease the lease to change; a caller of another project creates no trust in its project
     */
    public Outcome<LeaseRejection> change(
            ChangeLease change,
            LeaseView lease,
            Caller caller,
            CommandContext context,
            HttpServletRequest request) {
        List<ReservationWish> wishes = new ArrayList<>(change.further());
        change.reservations().forEach(each -> changed(lease, each).ifPresent(wishes::add));
        Trustor trustor = new Trustor(caller.user(), lease.projectId(), wishes);
        return caller.project().equals(lease.projectId())
                ? send(change, trustor, context, request)
                : commands.send(change, context);
    }

    private static Optional<ReservationWish> changed(LeaseView lease, ReservationChange change) {
        return lease.reservations().stream()
                .filter(present -> present.id().equals(change.id()))
                .findFirst()
                .map(
                        present -> {
                            Map<String, @Nullable Object> parameters =
                                    new LinkedHashMap<>(present.parameters());
                            parameters.putAll(change.parameters());
                            return new ReservationWish(present.id(), present.kind(), parameters);
                        });
    }

    /** A user who would create a trust, its project, and the requests that need it. */
    private record Trustor(UserId user, ProjectId project, List<ReservationWish> wishes) {}

    private Outcome<LeaseRejection> send(
            LeaseCommand command,
            Trustor trustor,
            CommandContext context,
            HttpServletRequest request) {
        LeaseId lease = command.leaseId();
        String token = request.getHeader(TokenFilter.TOKEN);
        if (trusts == null
                || leaseTrusts == null
                || token == null
                || !anyMeets(trustor.wishes(), Planning::actsAsUser)) {
            return commands.send(command, context);
        }
        boolean expected = leaseTrusts.announce(lease, clock.instant());
        Outcome<LeaseRejection> outcome;
        try {
            outcome = commands.send(command, context);
        } catch (RuntimeException failed) {
            if (expected) {
                leaseTrusts.cancel(lease);
            }
            throw failed;
        }
        // The request that was to create one may have been refused meanwhile.
        if (outcome instanceof Outcome.Accepted
                && (expected || leaseTrusts.announce(lease, clock.instant()))) {
            createTrust(lease, trustor, token, leaseTrusts, trusts);
        } else if (expected) {
            leaseTrusts.cancel(lease);
        }
        return outcome;
    }

    private boolean anyMeets(List<ReservationWish> wishes, Condition condition) {
        return wishes.stream()
                .anyMatch(
                        wish ->
                                plugins.find(wish.kind())
                                        .map(ResourcePlugin::planning)
                                        .filter(planning -> meets(planning, wish, condition))
                                        .isPresent());
    }

    private static boolean meets(Planning planning, ReservationWish wish, Condition condition) {
        return planning.plan(wish.parameters()) instanceof Planning.Plan.Planned planned
                && condition.holds(planning, planned.parameters());
    }

    /** A condition that a plug-in checks for parameters that it has planned. */
    @FunctionalInterface
    private interface Condition {

        boolean holds(Planning planning, Map<String, @Nullable Object> parameters);
    }

    /**
     * Creates a trust after the command is done: if this fails, the lease continues without one.
     */
    private void createTrust(
            LeaseId lease, Trustor trustor, String token, LeaseTrusts kept, Trusts trusts) {
        try {
            boolean passedOn = anyMeets(trustor.wishes(), Planning::passesTrustOn);
            switch (trusts.createTrust(trustor.user(), trustor.project(), token, passedOn)) {
                case Entrusted(var trust) -> storeTrust(lease, trust, kept, trusts);
                case Failed(var fault) -> {
                    kept.cancel(lease);
                    log(lease, "Its user does not trust the engine", fault.message());
                }
            }
        } catch (RuntimeException failed) {
            log(lease, "Its user's trust is not kept", failed.toString());
        }
    }

    /** Stores a trust, or revokes it: without a row it would stay in the cloud for good. */
    private static void storeTrust(LeaseId lease, TrustId trust, LeaseTrusts kept, Trusts trusts) {
        boolean isKept = false;
        try {
            isKept = kept.store(lease, trust);
        } finally {
            if (!isKept) {
                trusts.revoke(trust)
                        .ifPresent(fault -> log(lease, "A trust is left", fault.message()));
            }
        }
    }

    private static void log(LeaseId lease, String what, String why) {
        LOG.atWarn().addKeyValue("lease_id", lease).log("{}: {}", what, why);
    }
}
