package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.R;
import static org.leasehold.query.account.LeaseScenario.active;
import static org.leasehold.query.account.LeaseScenario.deleted;
import static org.leasehold.query.account.LeaseScenario.ended;
import static org.leasehold.query.account.LeaseScenario.ending;
import static org.leasehold.query.account.LeaseScenario.granted;
import static org.leasehold.query.account.LeaseScenario.host;
import static org.leasehold.query.account.LeaseScenario.minute;
import static org.leasehold.query.account.LeaseScenario.pending;
import static org.leasehold.query.account.LeaseScenario.released;
import static org.leasehold.query.account.LeaseScenario.requested;
import static org.leasehold.query.account.LeaseScenario.tenures;
import static org.leasehold.query.account.LeaseScenario.window;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.query.account.LeaseScenario;
import org.leasehold.vocabulary.Tenure;

import java.util.List;
import java.util.Map;

/** The premiums that are charged in addition to usage, and the fees that are charged once. */
class PremiumsAndFeesTest extends RatingFixture {

    @Test
    void a_property_premium_is_charged_in_addition_to_usage() {
        LeaseScenario life =
                oneHost(new Allocation(new ResourceId(1), "compute-1", Map.of("gpu", "V100")));
        PricePlans plans =
                plans(
                        rate(
                                """
                                , "premiums": [{"property": "gpu", "value": "V100", "percent": "50"},
                                    {"property": "gpu", "value": "A100", "percent": "70"}]\
                                """));
        assertThat(lines(charges(life, plans, 1000)))
                .containsExactly("1 USAGE 60-300 24.00", "1 PREMIUM gpu=V100 60-300 12.00");
    }

    @Test
    void a_slot_premium_applies_while_the_slot_count_is_reached() {
        LeaseScenario life =
                active().at(
                                120,
                                granted(window(120, 300), host(1)),
                                new ReservationAdjusting(
                                        LEASE, new Tenure(R, 2), List.of(), List.of(host(2))))
                        .at(120, new ReservationAdjusted(LEASE, R, List.of(new ResourceId(2))));
        PricePlans plans =
                plans(
                        rate(
                                """
                                , "credit_percent": 0, "premiums": [
                                    {"slots": 1, "percent": 10}, {"slots": 2, "percent": 20}]\
                                """));
        assertThat(lines(charges(life, plans, 180)))
                .containsExactly(
                        "1 USAGE 61-120 5.90",
                        "1 PREMIUM slots>=2 61-120 1.18",
                        "1 USAGE 120-180 6.00",
                        "1 PREMIUM slots>=1 120-180 0.60",
                        "2 USAGE 61-120 5.90",
                        "2 PREMIUM slots>=2 61-120 1.18",
                        "1 USAGE 60-61 0.10",
                        "1 PREMIUM slots>=2 60-61 0.02",
                        "2 USAGE 60-61 0.10",
                        "2 PREMIUM slots>=2 60-61 0.02");
    }

    @Test
    void one_off_fees_are_charged_at_the_grant_and_at_the_activation() {
        PricePlans plans = plans(rate(", \"fee\": \"2\", \"reservation_fee\": \"0.5\""));
        assertThat(lines(charges(oneHost(host(1)), plans, 61)))
                .containsExactly(
                        "RESERVATION_FEE 0-0 0.50", "FEE 60-60 2.00", "1 USAGE 60-61 0.10");
        LeaseScenario never =
                pending()
                        .at(30, ending(EndCause.DELETED), released(R), ended(EndCause.DELETED))
                        .at(30, deleted());
        assertThat(lines(charges(never, plans, 1000))).containsExactly("RESERVATION_FEE 0-0 0.50");
    }

    @Test
    void an_imported_lease_is_not_charged_a_reservation_fee() {
        LeaseScenario life =
                new LeaseScenario()
                        .at(
                                100,
                                requested(window(60, 300)),
                                granted(window(60, 300), host(1)),
                                new LeaseImported(
                                        LEASE,
                                        new LeasePast(
                                                Stage.ACTIVE,
                                                null,
                                                List.of(
                                                        new LeasePast.OfReservation(
                                                                R,
                                                                Stage.ACTIVE,
                                                                null,
                                                                false,
                                                                false,
                                                                minute(-60),
                                                                null)),
                                                List.of(),
                                                minute(-60),
                                                null),
                                        tenures(R)));
        PricePlans plans = plans(rate(", \"reservation_fee\": 1"));
        assertThat(lines(charges(life, plans, 1000))).containsExactly("1 USAGE 60-300 24.00");
        life.at(200, granted(window(200, 360), host(1)));
        assertThat(lines(charges(life, plans, 1000))).containsExactly("1 USAGE 60-360 30.00");
    }
}
