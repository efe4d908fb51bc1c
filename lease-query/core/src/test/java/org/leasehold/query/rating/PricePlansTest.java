package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;

class PricePlansTest {

    private static final PricePlans PLANS =
            PricePlans.of(
                    """
                    {"plans": [
                      {"name": "2029", "from": "2029-01-01T00:00:00Z", "currency": "EUR",
                       "rates": [{"kind": "physical:host", "price": "1"}]},
                      {"name": "2030", "from": "2030-01-01T00:00:00Z", "currency": "EUR",
                       "rates": [{"kind": "physical:host", "price": "2"}]},
                      {"name": "2031", "from": "2031-01-01T00:00:00Z", "currency": "EUR",
                       "rates": [{"kind": "physical:host", "price": "3"}]}]}
                    """);

    @ParameterizedTest
    @CsvSource({
        "2028-12-31T23:59:59Z, 2029 2030 2031",
        "2029-12-31T23:59:59Z, 2029 2030 2031",
        "2030-01-01T00:00:00Z, 2030 2031",
        "2035-01-01T00:00:00Z, 2031"
    })
    void the_plan_in_force_comes_before_the_later_ones(Instant now, String names) {
        assertThat(PLANS.from(now)).extracting(PricePlan::name).containsExactly(names.split(" "));
    }

    @Test
    void without_plans_no_plan_is_in_force() {
        assertThat(PricePlans.NONE.from(Instant.EPOCH)).isEmpty();
    }
}
