package org.leasehold.saga.trust;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.resource.identity.Trusts.Trust;
import org.leasehold.saga.trust.KnownTrusts.KnownTrust;
import org.leasehold.vocabulary.TrustId;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The comparison of the existing trusts with the stored ones. A trust is created before it is
 * stored, and deleted in the cloud before its row is. The rows are therefore read before and after.
 * A trust is left out if a lease of the same user and project still waits for one.
 */
final class TrustComparison implements OrphanedTrusts {

    private final TrustTable table;
    private final Leases leases;
    private final @Nullable Trusts trusts;
    private final Clock clock;

    /**
     * @param trusts null where users do not log in with the cloud, so that there are no trusts
     */
    TrustComparison(TrustTable table, Leases leases, @Nullable Trusts trusts, Clock clock) {
        this.table = table;
        this.leases = leases;
        this.trusts = trusts;
        this.clock = clock;
    }

    @Override
    public Given find() {
        if (trusts == null) {
            return new Given.Known(List.of());
        }
        List<KnownTrust> before = table.listAll();
        return switch (trusts.list()) {
            case Given.Known(var given) -> new Given.Known(orphans(given, before, table.listAll()));
            case Given.Unknown unknown -> unknown;
        };
    }

    private List<Trust> orphans(
            List<Trust> given, List<KnownTrust> before, List<KnownTrust> after) {
        Instant now = clock.instant();
        List<LeaseView> waiting =
                after.stream()
                        .filter(known -> known.isAwaited(now))
                        .flatMap(known -> leases.find(known.lease(), null).stream())
                        .toList();
        Set<TrustId> kept =
                Stream.concat(before.stream(), after.stream())
                        .map(KnownTrust::trust)
                        .filter(Objects::nonNull)
                        .collect(Collectors.toSet());
        return given.stream()
                .filter(trust -> !kept.contains(trust.id()))
                .filter(trust -> waiting.stream().noneMatch(lease -> canBelongTo(lease, trust)))
                .toList();
    }

    private static boolean canBelongTo(LeaseView lease, Trust trust) {
        return lease.userId().equals(trust.user()) && lease.projectId().equals(trust.project());
    }
}
