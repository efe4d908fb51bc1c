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
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.resource.identity.Trusts.Trust;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeReadModel;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.fakes.TestClock;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.TrustId;
import org.leasehold.vocabulary.UserId;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A test of the comparison on PostgreSQL, like all rows. */
class TrustComparisonTest {

    private static final Given NONE = new Given.Known(List.of());

    /** The trust of the sample lease's user in its project. */
    private static final Trust GIVEN =
            new Trust(new TrustId("trust-1"), new UserId("ada"), new ProjectId("astronomy"));

    private final TestClock clock = new TestClock();
    private final FakeReadModel world = new FakeReadModel();
    private final Keystone keystone = new Keystone();
    private final TrustTable table = new TrustTable(JdbcClient.create(Database.empty()));
    private final OrphanedTrusts comparison = new TrustComparison(table, world, keystone, clock);

    @BeforeEach
    void aLease() {
        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
    }

    @Test
    void a_trust_that_a_lease_keeps_is_no_orphan() {
        table.announce(LEASE, clock.instant());
        table.store(LEASE, GIVEN.id());
        keystone.given = new Given.Known(List.of(GIVEN));

        assertThat(comparison.find()).isEqualTo(NONE);
    }

    @Test
    void a_trust_that_no_lease_keeps_is_an_orphan() {
        table.announce(LEASE, clock.instant());
        table.store(LEASE, new TrustId("trust-2"));
        keystone.given = new Given.Known(List.of(GIVEN));

        assertThat(comparison.find()).isEqualTo(keystone.given);
    }

    @Test
    void a_trust_that_is_stored_or_forgotten_meanwhile_is_no_orphan() {
        table.announce(LEASE, clock.instant());
        keystone.given = new Given.Known(List.of(GIVEN));
        keystone.meanwhile = () -> table.store(LEASE, GIVEN.id());
        assertThat(comparison.find()).isEqualTo(NONE);

        keystone.meanwhile = () -> table.cancel(LEASE);
        assertThat(comparison.find()).isEqualTo(NONE);
    }

    @Test
    void an_expected_trust_becomes_an_orphan_after_30_seconds() {
        table.announce(LEASE, clock.instant());
        keystone.given = new Given.Known(List.of(GIVEN));
        assertThat(comparison.find()).isEqualTo(NONE);

        clock.putForward(Duration.ofSeconds(31));
        assertThat(comparison.find()).isEqualTo(keystone.given);
    }

    @Test
    void an_expected_trust_does_not_hide_trusts_of_other_users_or_projects() {
        table.announce(LEASE, clock.instant());
        ProjectId project = new ProjectId("astronomy");
        keystone.given =
                new Given.Known(
                        List.of(
                                new Trust(GIVEN.id(), GIVEN.user(), new ProjectId("biology")),
                                new Trust(new TrustId("trust-2"), new UserId("bob"), project),
                                new Trust(new TrustId("trust-3"), GIVEN.user(), null)));

        assertThat(comparison.find()).isEqualTo(keystone.given);
    }

    @Test
    void the_comparison_reports_a_failure_of_keystone() {
        keystone.given = new Given.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"));

        assertThat(comparison.find()).isEqualTo(keystone.given);
    }

    @Test
    void the_comparison_finds_no_trusts_without_keystone() {
        assertThat(new TrustComparison(table, world, null, clock).find()).isEqualTo(NONE);
    }

    private static final class Keystone implements Trusts {

        private Given given = NONE;
        private @Nullable Runnable meanwhile;

        @Override
        public Given list() {
            if (meanwhile != null) {
                meanwhile.run();
            }
            return given;
        }

        @Override
        public Entrusting createTrust(
                UserId user, ProjectId project, String token, boolean passedOn) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Fault> revoke(TrustId trust) {
            throw new UnsupportedOperationException();
        }
    }
}
