package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.account.LeaseScenario.JOINER;
import static org.leasehold.query.account.LeaseScenario.LEASE;
import static org.leasehold.query.account.LeaseScenario.R;
import static org.leasehold.query.account.LeaseScenario.ending;
import static org.leasehold.query.account.LeaseScenario.granted;
import static org.leasehold.query.account.LeaseScenario.host;
import static org.leasehold.query.account.LeaseScenario.pending;
import static org.leasehold.query.account.LeaseScenario.released;
import static org.leasehold.query.account.LeaseScenario.requested;
import static org.leasehold.query.account.LeaseScenario.starting;
import static org.leasehold.query.account.LeaseScenario.window;

import org.junit.jupiter.api.Test;
import org.leasehold.inventory.ResourceId;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.query.account.LeaseScenario;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Money;
import org.leasehold.vocabulary.Share;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The effect of rates and plans on costs. */
class RatingTest extends RatingFixture {

    private static final Instant EVER = Instant.parse("2040-01-01T00:00:00Z");

    @Test
    void an_active_period_costs_the_price_of_the_rate() {
        assertThat(lines(charges(oneHost(host(1)), plans(rate("")), 1000)))
                .containsExactly("1 USAGE 60-300 24.00");
    }

    @Test
    void a_future_period_is_not_charged() {
        assertThat(lines(charges(oneHost(host(1)), plans(rate("")), 120)))
                .containsExactly("1 USAGE 60-120 6.00");
        assertThat(charges(pending(), plans(rate("")), 60)).isEmpty();
    }

    @Test
    void a_late_start_is_charged_and_credited() {
        LeaseScenario life =
                pending()
                        .at(60, new LeaseDelayed(LEASE, List.of(JOINER), "another has it"))
                        .at(90, starting(R))
                        .at(100, new ReservationActivated(LEASE, R));
        assertThat(lines(charges(life, plans(rate(", \"credit_percent\": 50")), 160)))
                .containsExactly(
                        "1 USAGE 100-160 6.00",
                        "2 USAGE 100-160 6.00",
                        "1 USAGE 60-100 4.00",
                        "1 CREDIT 60-100 -2.00",
                        "2 USAGE 60-100 4.00",
                        "2 CREDIT 60-100 -2.00");
    }

    @Test
    void an_overrun_is_not_charged() {
        LeaseScenario life =
                oneHost(host(1)).at(320, ending(EndCause.WINDOW_OVER, R)).at(400, released(R));
        assertThat(lines(charges(life, plans(rate("")), 1000)))
                .containsExactly("1 USAGE 60-300 24.00");
    }

    @Test
    void the_price_tier_depends_on_the_age_of_the_reservation() {
        PricePlans plans = plans(rate(", \"tiers\": [{\"from_hours\": 2, \"price\": \"3\"}]"));
        assertThat(lines(charges(oneHost(host(1)), plans, 1000)))
                .containsExactly("1 USAGE 60-180 12.00", "1 USAGE 180-300 6.00");
    }

    @Test
    void a_new_plan_and_a_new_month_begin_new_lines() {
        PricePlans plans =
                PricePlans.of(
                        "{\"plans\": ["
                                + only("old", "2030-01-01T13:30:00Z", rate(""))
                                + ","
                                + only(
                                        "new",
                                        "2030-01-01T15:00:00Z",
                                        "{\"kind\": \"physical:host\", \"price\": 12}")
                                + "]}");
        List<Charge> charges = charges(oneHost(host(1)), plans, 1000);
        assertThat(lines(charges)).containsExactly("1 USAGE 90-180 9.00", "1 USAGE 180-300 24.00");
        assertThat(charges).extracting(Charge::plan).containsExactly("old", "new");
        LeaseScenario long_ =
                new LeaseScenario()
                        .at(0, requested(window(0, 100_000)))
                        .at(0, granted(window(0, 100_000), host(1)), starting(R))
                        .at(0, new ReservationActivated(LEASE, R));
        assertThat(charges(long_, plans(rate("")), Instant.EPOCH, EVER))
                .extracting(charge -> charge.from().toString())
                .containsExactly(
                        "2030-01-01T12:00:00Z", "2030-02-01T00:00:00Z", "2030-03-01T00:00:00Z");
    }

    @Test
    void usage_is_charged_per_slot_by_the_rate_of_the_resource_kind() {
        LeaseScenario life = oneHost(host(1).shared(new Share(3, Map.of("VCPU", 1L))));
        assertThat(lines(charges(life, plans(rate("")), 120)))
                .containsExactly("1 USAGE 60-120 18.00");
        PricePlans plans =
                plans(
                        rate(", \"resources\": \"virtual:volume\""),
                        "{\"kind\": \"physical:host\", \"price\": 1}");
        assertThat(lines(charges(life, plans, 120))).containsExactly("1 USAGE 60-120 3.00");
        assertThat(charges(life, plans("{\"kind\": \"virtual:stack\", \"price\": 1}"), 120))
                .isEmpty();
    }

    @Test
    void a_price_can_apply_per_unit_that_a_slot_uses() {
        LeaseScenario life = oneHost(host(1).shared(new Share(3, Map.of("VOLUME_GB", 500L))));
        assertThat(lines(charges(life, plans(rate(", \"per\": \"VOLUME_GB\"")), 120)))
                .containsExactly("1 USAGE 60-120 9000.00");
        assertThat(charges(life, plans(rate(", \"per\": \"VCPU\"")), 120)).isEmpty();
        assertThat(charges(oneHost(host(1)), plans(rate(", \"per\": \"VCPU\"")), 120)).isEmpty();
    }

    @Test
    void a_line_is_rounded_once_and_half_to_even() {
        PricePlans plans = plans("{\"kind\": \"physical:host\", \"price\": \"0.30\"}");
        // A minute is half a cent, three are one and a half.
        assertThat(lines(charges(oneHost(host(1)), plans, 61)))
                .containsExactly("1 USAGE 60-61 0.00");
        assertThat(lines(charges(oneHost(host(1)), plans, 63)))
                .containsExactly("1 USAGE 60-63 0.02");
        assertThat(charges(oneHost(host(1)), plans, 61).getFirst().hours())
                .isEqualTo(new BigDecimal("0.016666667"));
    }

    /** The example of infra/docs/rating.md, computed there by hand. */
    @Test
    void the_documented_example_costs_the_documented_amount() throws IOException {
        PricePlans plans =
                PricePlans.of(
                        Files.readString(
                                Path.of(
                                        "..",
                                        "..",
                                        "infra",
                                        "docs",
                                        "rating",
                                        "example-plans.json")));
        Allocation host = new Allocation(new ResourceId(7), "compute-7", Map.of("gpu", "V100"));
        // 30 hours from one o'clock on; it is given half an hour late.
        LeaseScenario life =
                new LeaseScenario()
                        .at(0, requested(window(60, 60 + 30 * 60)))
                        .at(0, granted(window(60, 60 + 30 * 60), host))
                        .at(60, starting(R))
                        .at(90, new ReservationActivated(LEASE, R));
        List<Charge> charges = charges(life, plans, Instant.EPOCH, EVER);
        assertThat(lines(charges))
                .containsExactly(
                        "RESERVATION_FEE 0-0 0.50",
                        "FEE 90-90 2.00",
                        "7 USAGE 90-1500 28.20",
                        "7 PREMIUM gpu=V100 90-1500 14.10",
                        "7 USAGE 1500-1860 5.40",
                        "7 PREMIUM gpu=V100 1500-1860 2.70",
                        "7 USAGE 60-90 0.60",
                        "7 PREMIUM gpu=V100 60-90 0.30",
                        "7 CREDIT 60-90 -0.60",
                        "7 CREDIT gpu=V100 60-90 -0.30");
        assertThat(charges.stream().map(Charge::amount).reduce(Money::plus).orElseThrow())
                .hasToString("52.90 EUR");
    }
}
