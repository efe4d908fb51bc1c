package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.leasehold.query.account.LeaseScenario.JOINER;
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
import static org.leasehold.query.account.LeaseScenario.starting;
import static org.leasehold.query.account.LeaseScenario.tenures;
import static org.leasehold.query.account.LeaseScenario.window;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.lease.Allocation;
import org.leasehold.lease.EndCause;
import org.leasehold.lease.LeaseEvent.LeaseDelayed;
import org.leasehold.lease.LeaseEvent.LeaseImported;
import org.leasehold.lease.LeaseEvent.ReservationActivated;
import org.leasehold.lease.LeaseEvent.ReservationAdjusted;
import org.leasehold.lease.LeaseEvent.ReservationAdjusting;
import org.leasehold.lease.LeasePast;
import org.leasehold.lease.LeasePast.Stage;
import org.leasehold.query.account.LeaseScenario;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Money;
import org.leasehold.vocabulary.Share;
import org.leasehold.vocabulary.Tenure;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Map;

/** A test of the effect of each part of a plan on costs; times are minutes after noon. */
class RatingTest {

    private static final Instant EVER = Instant.parse("2040-01-01T00:00:00Z");

    private static PricePlans plans(String... rates) {
        return PricePlans.of(plan("one", "2030-01-01T00:00:00Z", rates));
    }

    private static String plan(String name, String from, String... rates) {
        return "{\"plans\": [" + only(name, from, rates) + "]}";
    }

    private static String only(String name, String from, String... rates) {
        return "{\"name\": \"%s\", \"from\": \"%s\", \"currency\": \"EUR\", \"rates\": [%s]}"
                .formatted(name, from, String.join(",", rates));
    }

    private static String rate(String more) {
        return "{\"kind\": \"physical:host\", \"price\": \"6.00\"" + more + "}";
    }

    private static List<Charge> charges(LeaseScenario life, PricePlans plans, long until) {
        return charges(life, plans, Instant.EPOCH, minute(until));
    }

    private static List<Charge> charges(
            LeaseScenario life, PricePlans plans, Instant from, Instant to) {
        return Rating.of(
                ChargeableLease.of(life.recorded(), to),
                _ -> ResourceKind.PHYSICAL_HOST,
                plans,
                from,
                to);
    }

    /** Returns lines such as {@code 1 USAGE 60-300 24.00}; a one-off charge has no resource. */
    private static List<String> lines(List<Charge> charges) {
        return charges.stream()
                .map(
                        charge ->
                                "%s%s%s %s-%s %s"
                                        .formatted(
                                                charge.use() == null
                                                        ? ""
                                                        : charge.use().resource() + " ",
                                                charge.what(),
                                                charge.reason() == null
                                                        ? ""
                                                        : " " + charge.reason(),
                                                minute(charge.from()),
                                                minute(charge.until()),
                                                charge.amount().amount()))
                .toList();
    }

    private static LeaseScenario oneHost(Allocation host) {
        return new LeaseScenario()
                .at(0, requested(window(60, 300)), granted(window(60, 300), host))
                .at(60, starting(R), new ReservationActivated(LEASE, R));
    }

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
    void the_price_tier_depends_on_the_age_of_the_reservation() {
        PricePlans plans = plans(rate(", \"tiers\": [{\"from_hours\": 2, \"price\": \"3\"}]"));
        assertThat(lines(charges(oneHost(host(1)), plans, 1000)))
                .containsExactly("1 USAGE 60-180 12.00", "1 USAGE 180-300 6.00");
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

    @Test
    void money_rejects_another_currency_and_excess_fraction_digits() {
        Currency yen = Currency.getInstance("JPY");
        Money cent = new Money(new BigDecimal("0.01"), Currency.getInstance("EUR"));
        assertThat(cent.plus(cent).amount()).isEqualTo(new BigDecimal("0.02"));
        assertThatThrownBy(() -> cent.plus(new Money(BigDecimal.ONE, yen)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Money(new BigDecimal("0.5"), yen))
                .isInstanceOf(IllegalArgumentException.class);
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ | no JSON",
                "[] | it: must be an object",
                "{\"plan\": []} | plan: is unknown",
                "{} | plans: must be a list",
                "{\"plans\": []} | plans: must have at least one",
                "{\"plans\": [7]} | plans[0]: must be an object",
                "{\"plans\": [{}]} | plans[0].name: must be a text",
            })
    void an_invalid_price_file_is_rejected_with_the_reason(String json, String complaint) {
        assertThatThrownBy(() -> PricePlans.of(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(complaint);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"kind\": \"physical:host\"} | price: must be a number",
                "{\"price\": 1} | kind: must be a text",
                "{\"kind\": \"k\", \"price\": -1} | price: must be a number",
                "{\"kind\": \"k\", \"price\": \"1e3000000\"} | price: must be a number",
                "{\"kind\": \"k\", \"price\": \"much\"} | price: must be a number",
                "{\"kind\": \"k\", \"price\": 1, \"colour\": 2} | colour: is unknown",
                "{\"kind\": \"k\", \"price\": 1, \"credit_percent\": 101} | credit_percent: must"
                        + " be",
                "{\"kind\": \"k\", \"price\": 1, \"tiers\": [{\"from_hours\": 0, \"price\": 1}]}"
                        + " | tiers[0].from_hours: must be",
                "{\"kind\": \"k\", \"price\": 1, \"tiers\": [{\"from_hours\": 2, \"price\": 1},"
                        + " {\"from_hours\": 2, \"price\": 1}]} | tiers[1].from_hours: must be",
                "{\"kind\": \"k\", \"price\": 1, \"premiums\": [{\"percent\": 1}]}"
                        + " | premiums[0].property: or slots",
                "{\"kind\": \"k\", \"price\": 1, \"premiums\": [{\"slots\": 1, \"percent\": -1}]}"
                        + " | premiums[0].percent: must be",
            })
    void an_invalid_rate_is_rejected_with_the_field_path(String rate, String complaint) {
        assertThatThrownBy(() -> plans(rate))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("plans[0].rates[0]." + complaint);
    }

    @Test
    void an_invalid_plan_is_rejected_with_the_field_path() {
        assertThatThrownBy(() -> PricePlans.of(plan("x", "yesterday", rate(""))))
                .hasMessageStartingWith("plans[0].from: must be a time");
        assertThatThrownBy(
                        () ->
                                PricePlans.of(
                                        plan("x", "2030-01-01T00:00:00Z", rate(""))
                                                .replace("EUR", "XXX")))
                .hasMessageStartingWith("plans[0].currency: must be a currency");
        String one = only("x", "2030-01-01T00:00:00Z", rate(""));
        assertThatThrownBy(() -> PricePlans.of("{\"plans\": [" + one + "," + one + "]}"))
                .hasMessageStartingWith("plans[1].from: must be after");
        assertThatThrownBy(() -> plans(rate(""), rate(", \"fee\": 1")))
                .hasMessageStartingWith("plans[0].rates[1]: must have no fees");
    }
}
