package org.leasehold.saga.trust;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.lease.Leases;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.trust.KnownTrusts.KnownTrust;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.TrustId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The poller that deletes the trusts of ended leases, so that an outage of Keystone delays nothing
 * but this.
 *
 * <p>Every node polls: a trust that is gone counts as deleted.
 */
final class TrustSweep {

    private static final Logger LOG = LoggerFactory.getLogger(TrustSweep.class);

    private static final int PAGE_SIZE = 1_000;

    /** The failures in a row that mean an outage of Keystone: the rest waits for the next poll. */
    private static final int MAX_CONSECUTIVE_FAILURES = 3;

    /** The age after which a lease that is not found will never exist. */
    private static final Duration MIN_AGE = Duration.ofMinutes(1);

    private final TrustTable table;
    private final Leases leases;
    private final @Nullable Trusts trusts;
    private final Clock clock;
    private final Node node;

    /**
     * @param trusts null where users do not log in with the cloud, so that there are no trusts
     */
    TrustSweep(TrustTable table, Leases leases, @Nullable Trusts trusts, Clock clock, Node node) {
        this.table = table;
        this.leases = leases;
        this.trusts = trusts;
        this.clock = clock;
        this.node = node;
    }

    @Scheduled(fixedDelayString = "${leasehold.saga.watching:30s}")
    void sweep() {
        @Nullable LeaseId last = null;
        while (trusts != null && node.works()) {
            List<KnownTrust> page = table.listAfter(last, PAGE_SIZE);
            if (page.isEmpty() || !sweep(page, trusts)) {
                return;
            }
            last = page.getLast().lease();
        }
    }

    /** Returns false if Keystone fails. */
    private boolean sweep(List<KnownTrust> page, Trusts cloud) {
        int failures = 0;
        Set<LeaseId> living =
                leases.findUnfinished(
                        page.stream().map(KnownTrust::lease).collect(Collectors.toSet()));
        Instant before = clock.instant().minus(MIN_AGE);
        for (KnownTrust known : page) {
            if (living.contains(known.lease()) || known.expectedAt().isAfter(before)) {
                continue;
            }
            TrustId trust = known.trust();
            Optional<Fault> fault = trust == null ? Optional.empty() : cloud.revoke(trust);
            if (fault.isPresent()) {
                LOG.atWarn()
                        .addKeyValue("lease_id", known.lease())
                        .log("A trust is not deleted yet: {}", fault.get().message());
                if (++failures == MAX_CONSECUTIVE_FAILURES) {
                    return false;
                }
                continue;
            }
            failures = 0;
            table.cancel(known.lease());
        }
        return true;
    }
}
