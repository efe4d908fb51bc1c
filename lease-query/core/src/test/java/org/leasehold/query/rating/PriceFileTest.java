package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.readmodel.usage.Money;

import java.math.BigDecimal;
import java.util.Currency;

/** The price files that are rejected, with the reason. */
class PriceFileTest extends RatingFixture {

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
