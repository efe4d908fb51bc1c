package org.leasehold.query.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.R;
import static org.leasehold.query.account.LeaseScenario.ending;
import static org.leasehold.query.account.LeaseScenario.granted;
import static org.leasehold.query.account.LeaseScenario.host;
import static org.leasehold.query.account.LeaseScenario.minute;
import static org.leasehold.query.account.LeaseScenario.released;
import static org.leasehold.query.account.LeaseScenario.requested;
import static org.leasehold.query.account.LeaseScenario.starting;
import static org.leasehold.query.account.LeaseScenario.tenures;
import static org.leasehold.query.account.LeaseScenario.window;

import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.vocabulary.LeasePeriod;
import org.leasehold.vocabulary.ReservationId;

import java.util.List;

/** Tests the accounts of imported leases. */
class ImportedLeaseAccountsTest extends LeaseAccountsFixture {

    private static LeaseEvent imported(Stage stage, ReservationId... holding) {
        return new LeaseImported(
                LEASE,
                new LeasePast(
                        stage,
                        null,
                        List.of(
                                new LeasePast.OfReservation(
                                        R, stage, null, false, false, minute(-60), null)),
                        List.of(),
                        minute(-60),
                        null),
                tenures(holding));
    }

    @Test
    void an_imported_active_lease_counts_as_active_from_the_window_start() {
        LeasePeriod window = window(-30, 120);
        LeaseScenario life =
                new LeaseScenario()
                        .at(0, requested(window), granted(window, host(1)))
                        .at(0, imported(Stage.ACTIVE, R))
                        .at(120, ending(EndCause.WINDOW_OVER, R))
                        .at(121, released(R));
        assertThat(life.account(1000)).containsExactly("1 ACTIVE -30-120", "1 OVERRUN 120-121");
    }

    @Test
    void an_imported_failed_lease_counts_as_lost_until_a_retry_succeeds() {
        LeasePeriod window = window(-30, 120);
        LeaseScenario life =
                new LeaseScenario()
                        .at(0, requested(window), granted(window, host(1)))
                        .at(0, imported(Stage.FAILED, R))
                        .at(20, starting(R))
                        .at(25, ACTIVATED);
        assertThat(life.account(100)).containsExactly("1 LOST -30-25", "1 ACTIVE 25-100");
    }

    @Test
    void an_imported_ended_lease_has_an_empty_account() {
        LeaseScenario life =
                new LeaseScenario().at(0, requested(window(-90, -30)), imported(Stage.ENDED));
        assertThat(life.account(1000)).isEmpty();
    }
}
