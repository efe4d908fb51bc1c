package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.query.account.AccountEntry;
import org.leasehold.query.account.LeaseScenario;
import org.leasehold.query.rating.FocusRules.Rule;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A test of the charges of leases as a table of FOCUS, by the rules of FOCUS. */
class FocusCsvExportTest extends FocusCsvFixture {

    private static final PricePlans EXAMPLE = examplePlans();

    /** A table large enough to have each category. */
    private static final ParsedFocusCsv SAMPLE =
            sheet(LongStream.range(0, 20).boxed().flatMap(s -> random(s).stream()).toList());

    private static PricePlans examplePlans() {
        try {
            return PricePlans.of(
                    Files.readString(
                            Path.of("..", "..", "infra", "docs", "rating", "example-plans.json")));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the costs of a random lease by random plans, and by those of the example. */
    private static List<LeaseCharges> random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LeaseScenario life = RandomChargesTest.life(random);
        return List.of(
                lease(
                        2 * seed,
                        RandomChargesTest.charges(
                                life, RandomChargesTest.plans(random), Instant.EPOCH, END)),
                lease(2 * seed + 1, RandomChargesTest.charges(life, EXAMPLE, Instant.EPOCH, END)));
    }

    private static BigDecimal sum(Stream<Map<String, String>> rows) {
        return rows.map(row -> new BigDecimal(Objects.requireNonNull(row.get("BilledCost"))))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    @Test
    void an_export_of_random_leases_satisfies_the_focus_rules() {
        Set<String> categories = new HashSet<>();
        for (long seed = 0; seed < RandomChargesTest.LIVES; seed++) {
            ParsedFocusCsv sheet = sheet(random(seed));
            assertThat(FocusRules.broken(sheet)).as("seed " + seed).isEmpty();
            sheet.rows()
                    .forEach(
                            row ->
                                    categories.add(
                                            row.get("ChargeCategory")
                                                    + " "
                                                    + row.get("CapacityReservationStatus")));
        }
        assertThat(categories)
                .containsExactlyInAnyOrder(
                        "Usage Used", "Usage Unused", "Purchase null", "Credit Unused");
    }

    static Stream<Rule> rules() {
        return FocusRules.all().stream();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void each_rule_detects_a_table_that_violates_it(Rule rule) {
        ParsedFocusCsv broken = SAMPLE.copy();
        assertThat(rule.holds().test(broken)).isTrue();
        rule.breaks().accept(broken);
        assertThat(rule.holds().test(broken)).isFalse();
    }

    @Test
    void the_billed_costs_of_a_lease_add_up_to_the_charges() {
        int billed = 0;
        for (long seed = 0; seed < RandomChargesTest.LIVES; seed++) {
            List<LeaseCharges> leases = random(seed);
            ParsedFocusCsv sheet = sheet(leases);
            for (LeaseCharges lease : leases) {
                List<Map<String, String>> rows =
                        sheet.rows().stream()
                                .filter(
                                        row ->
                                                lease.lease()
                                                        .toString()
                                                        .equals(row.get("x_LeaseId")))
                                .toList();
                assertThat(rows).extracting(row -> row.get("BillingCurrency")).containsOnly("EUR");
                BigDecimal total =
                        lease.charges().stream()
                                .map(charge -> charge.amount().amount())
                                .reduce(BigDecimal.ZERO, BigDecimal::add);
                assertThat(sum(rows.stream())).as("seed " + seed).isEqualTo(total);
                billed += total.signum();
            }
        }
        assertThat(billed).isPositive();
    }

    @Test
    void used_and_unused_costs_equal_active_and_lost_seconds() {
        for (long seed = 0; seed < RandomChargesTest.LIVES; seed++) {
            LeaseScenario life = RandomChargesTest.life(new SplittableRandom(seed));
            ParsedFocusCsv sheet =
                    sheet(
                            List.of(
                                    lease(
                                            1,
                                            RandomChargesTest.charges(
                                                    life,
                                                    RandomChargesTest.ONE_A_SECOND,
                                                    Instant.EPOCH,
                                                    END))));
            for (String category : List.of("Usage", "Credit")) {
                for (var entry :
                        Map.of("Used", AccountEntry.What.ACTIVE, "Unused", AccountEntry.What.LOST)
                                .entrySet()) {
                    long seconds = RandomChargesTest.seconds(life, entry.getValue());
                    boolean credited = category.equals("Credit");
                    boolean used = entry.getKey().equals("Used");
                    assertThat(
                                    sum(
                                            sheet.rows(category).stream()
                                                    .filter(
                                                            row ->
                                                                    entry.getKey()
                                                                            .equals(
                                                                                    row.get(
                                                                                            "CapacityReservationStatus")))))
                            .as("seed %d, %s %s", seed, category, entry.getKey())
                            .isEqualByComparingTo(
                                    BigDecimal.valueOf(credited ? (used ? 0 : -seconds) : seconds));
                }
            }
        }
    }
}
