package org.leasehold.query.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.R;
import static org.leasehold.query.account.LeaseScenario.active;
import static org.leasehold.query.account.LeaseScenario.ended;
import static org.leasehold.query.account.LeaseScenario.ending;
import static org.leasehold.query.account.LeaseScenario.pending;
import static org.leasehold.query.account.LeaseScenario.released;
import static org.leasehold.query.account.LeaseScenario.tenures;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent;
import org.leasehold.lease.LeaseEvent.ReservationRemoved;
import org.leasehold.vocabulary.Tenure;

/** The account of a reservation that is removed from a lease. */
class RemovedReservationAccountsTest {

    @Test
    void a_removal_ends_the_use_as_an_early_end_does() {
        LeaseScenario life =
                active().at(120, removed(tenures(R).getFirst()))
                        .at(125, removed(tenures(R).getFirst()))
                        .at(130, released(R));
        assertThat(life.account(1000))
                .containsExactly(
                        "1 LOST 60-61",
                        "1 ACTIVE 61-120",
                        "1 OVERRUN 120-130",
                        "2 LOST 60-61",
                        "2 ACTIVE 61-120",
                        "2 OVERRUN 120-130");
        life.at(200, ending(EndCause.REQUESTED)).at(200, ended(EndCause.REQUESTED));
        assertThat(life.account(1000)).hasSize(6);
    }

    @Test
    void an_end_that_was_decided_before_a_removal_has_priority() {
        LeaseScenario life =
                active().at(130, removed(tenures(R).getFirst()))
                        .at(120, ending(EndCause.REQUESTED, R))
                        .at(140, released(R));
        assertThat(life.account(1000)).contains("1 ACTIVE 61-120", "1 OVERRUN 120-140");
    }

    @Test
    void a_removal_before_the_start_takes_the_reservation_out_of_the_account() {
        LeaseScenario life = pending().at(30, removed(null)).at(30, released(R));
        assertThat(life.account(1000)).isEmpty();
    }

    private static LeaseEvent removed(@Nullable Tenure tenure) {
        return new ReservationRemoved(LEASE, R, tenure);
    }
}
