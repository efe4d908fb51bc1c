package org.leasehold.saga.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.saga.node.Node;
import org.leasehold.saga.trust.KnownTrusts.KnownTrust;
import org.leasehold.vocabulary.LeaseId;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A test of the sweep on PostgreSQL, like all rows. */
class TrustSweepTest {

    private static final TrustId TRUST = new TrustId("trust-1");

    private final TestClock clock = new TestClock();
    private final FakeReadModel world = new FakeReadModel();
    private final Keystone keystone = new Keystone();
    private final TrustTable table = new TrustTable(JdbcClient.create(Database.empty()));
    private final TrustSweep sweep =
            new TrustSweep(table, world, keystone, clock, new Node("node-1", true));

    @BeforeEach
    void trustOfALease() {
        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
        table.announce(LEASE, clock.instant());
        table.store(LEASE, TRUST);
        clock.putForward(Duration.ofMinutes(2));
    }

    @Test
    void a_sweep_revokes_the_trust_of_a_lease_that_no_longer_exists() {
        sweep.sweep();
        assertThat(keystone.revoked).isEmpty();

        world.forget(LEASE);
        sweep.sweep();

        assertThat(keystone.revoked).containsExactly(TRUST);
        assertThat(table.find(LEASE)).isEmpty();
    }

    @Test
    void a_trust_stays_stored_until_keystone_deletes_it() {
        world.forget(LEASE);
        keystone.fault = new Fault(Fault.Kind.RETRYABLE, "away");
        sweep.sweep();
        assertThat(table.find(LEASE)).isPresent();

        keystone.fault = null;
        sweep.sweep();

        assertThat(keystone.revoked).containsExactly(TRUST);
        assertThat(table.find(LEASE)).isEmpty();
    }

    @Test
    void a_failed_deletion_does_not_prevent_other_deletions() {
        world.forget(LEASE);
        LeaseId next = Samples.lease(2);
        TrustId nexts = new TrustId("trust-2");
        table.announce(next, clock.instant());
        assertThat(table.store(next, nexts)).isTrue();
        clock.putForward(Duration.ofMinutes(2));
        keystone.refused = TRUST;

        sweep.sweep();

        assertThat(keystone.revoked).containsExactly(nexts);
        assertThat(table.find(LEASE)).isPresent();
        assertThat(table.find(next)).isEmpty();
    }

    @Test
    void an_unexpected_trust_is_not_stored() {
        assertThat(table.store(Samples.lease(2), TRUST)).isFalse();
    }

    @Test
    void a_sweep_keeps_the_expected_trust_of_a_new_lease() {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        table.announce(Samples.lease(2), now);

        sweep.sweep();

        assertThat(table.find(Samples.lease(2)))
                .contains(new KnownTrust(Samples.lease(2), null, now));
    }

    @Test
    void a_trust_is_expected_once() {
        assertThat(table.announce(LEASE, clock.instant())).isFalse();
        assertThat(table.announce(Samples.lease(2), clock.instant())).isTrue();
    }

    @Test
    void a_trust_that_did_not_arrive_can_be_expected_again() {
        LeaseId next = Samples.lease(2);
        table.announce(next, clock.instant());
        assertThat(table.announce(next, clock.instant())).isFalse();
        clock.putForward(Duration.ofMinutes(2));

        assertThat(table.announce(next, clock.instant())).isTrue();

        assertThat(table.store(next, new TrustId("trust-2"))).isTrue();
        assertThat(table.store(next, new TrustId("trust-3"))).isFalse();
        assertThat(table.find(next).orElseThrow().trust()).isEqualTo(new TrustId("trust-2"));
    }

    private static final class Keystone implements Trusts {

        private final List<TrustId> revoked = new ArrayList<>();
        private @Nullable Fault fault;
        private @Nullable TrustId refused;

        @Override
        public Entrusting createTrust(
                UserId user, ProjectId project, String token, boolean passedOn) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Given list() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Fault> revoke(TrustId trust) {
            if (trust.equals(refused)) {
                return Optional.of(new Fault(Fault.Kind.DENIED, "not this one"));
            }
            if (fault == null) {
                revoked.add(trust);
            }
            return Optional.ofNullable(fault);
        }
    }
}
