package org.leasehold.saga.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.saga.fakes.Samples.LEASE;
import static org.leasehold.saga.fakes.Samples.PERIOD;
import static org.leasehold.saga.fakes.Samples.RESERVATION;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.Fault;
import org.leasehold.lease.ProjectId;
import org.leasehold.lease.TrustId;
import org.leasehold.lease.UserId;
import org.leasehold.resource.identity.Trusts;
import org.leasehold.resource.identity.Trusts.Given;
import org.leasehold.resource.identity.Trusts.Trust;
import org.leasehold.saga.fakes.Database;
import org.leasehold.saga.fakes.FakeWorld;
import org.leasehold.saga.fakes.Samples;
import org.leasehold.saga.fakes.TestClock;
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
    private final FakeWorld world = new FakeWorld();
    private final Keystone keystone = new Keystone();
    private final TrustTable table = new TrustTable(JdbcClient.create(Database.empty()));
    private final OrphanedTrusts comparison = new TrustComparison(table, world, keystone, clock);

    @BeforeEach
    void aLease() {
        world.put(Samples.view(LEASE, PERIOD, RESERVATION));
    }

    @Test
    void a_trust_that_a_lease_keeps_is_no_orphan() {
        table.expect(LEASE, clock.instant());
        table.keep(LEASE, GIVEN.id());
        keystone.given = new Given.Known(List.of(GIVEN));

        assertThat(comparison.find()).isEqualTo(NONE);
    }

    @Test
    void a_trust_that_no_lease_keeps_is_an_orphan() {
        table.expect(LEASE, clock.instant());
        table.keep(LEASE, new TrustId("trust-2"));
        keystone.given = new Given.Known(List.of(GIVEN));

        assertThat(comparison.find()).isEqualTo(keystone.given);
    }

    @Test
    void a_trust_that_is_noted_down_or_forgotten_during_the_look_is_no_orphan() {
        table.expect(LEASE, clock.instant());
        keystone.given = new Given.Known(List.of(GIVEN));
        keystone.meanwhile = () -> table.keep(LEASE, GIVEN.id());
        assertThat(comparison.find()).isEqualTo(NONE);

        keystone.meanwhile = () -> table.forget(LEASE);
        assertThat(comparison.find()).isEqualTo(NONE);
    }

    @Test
    void a_trust_that_is_about_to_be_noted_down_is_an_orphan_only_if_that_does_not_happen() {
        table.expect(LEASE, clock.instant());
        keystone.given = new Given.Known(List.of(GIVEN));
        assertThat(comparison.find()).isEqualTo(NONE);

        clock.putForward(Duration.ofSeconds(31));
        assertThat(comparison.find()).isEqualTo(keystone.given);
    }

    @Test
    void a_lease_that_waits_for_a_trust_hides_nobody_elses() {
        table.expect(LEASE, clock.instant());
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
    void a_keystone_that_does_not_say_is_told_of() {
        keystone.given = new Given.Unknown(new Fault(Fault.Kind.RETRYABLE, "away"));

        assertThat(comparison.find()).isEqualTo(keystone.given);
    }

    @Test
    void where_nobody_logs_in_with_the_cloud_there_are_no_trusts() {
        assertThat(new TrustComparison(table, world, null, clock).find()).isEqualTo(NONE);
    }

    private static final class Keystone implements Trusts {

        private Given given = NONE;
        private @Nullable Runnable meanwhile;

        @Override
        public Given given() {
            if (meanwhile != null) {
                meanwhile.run();
            }
            return given;
        }

        @Override
        public Entrusting entrust(UserId user, ProjectId project, String token, boolean passedOn) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Fault> revoke(TrustId trust) {
            throw new UnsupportedOperationException();
        }
    }
}
