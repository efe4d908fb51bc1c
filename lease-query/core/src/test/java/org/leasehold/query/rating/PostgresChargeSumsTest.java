package org.leasehold.query.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.query.booking.BookingEventLog.minute;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.readmodel.usage.ChargeSums;
import org.leasehold.readmodel.usage.Charges.LeaseCharges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.readmodel.usage.Money;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tests that sums of charges equal the sums of the lines. */
class PostgresChargeSumsTest extends PostgresChargesFixture {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void sums_equal_the_sums_of_the_lines_to_the_cent(long seed) {
        ChargeSumsFixture.live(journal, seed);
        PostgresCharges charges =
                new PostgresCharges(
                        journal.jdbc(), journal.streams(), new Stored(), ChargeSumsFixture.PLANS);
        for (ListCharges question : ChargeSumsFixture.questions(seed)) {
            List<LeaseCharges> lines = ChargeSumsFixture.lines(charges, question);
            ChargeSums byLease = ChargeSums.byLease(charges, question);
            ChargeSums byProject = ChargeSums.byProject(charges, question);

            assertThat(ChargeSumsFixture.sums(byLease))
                    .as("by lease: %s", question)
                    .isEqualTo(ChargeSumsFixture.expected(lines, LeaseCharges::lease));
            assertThat(ChargeSumsFixture.sums(byProject))
                    .as("by project: %s", question)
                    .isEqualTo(ChargeSumsFixture.expected(lines, LeaseCharges::project));
            Map<?, BigDecimal> total = ChargeSumsFixture.expected(lines, _ -> "all");
            assertThat(byLease.totals())
                    .extracting(Money::amount)
                    .containsExactlyElementsOf(total.values());
            assertThat(byProject.totals()).isEqualTo(byLease.totals());
        }
    }

    @Test
    void pages_of_sums_have_each_sum_once_and_the_same_totals() {
        ChargeSumsFixture.live(journal, 4);
        PostgresCharges charges = charges();
        ListCharges all = question(null, 0, 1000, 1000, 1000);
        ChargeSums whole = ChargeSums.byLease(charges, all);
        assertThat(whole.sums().items()).hasSizeGreaterThan(2);

        List<ChargeSums.Sum> paged = new ArrayList<>();
        String marker = null;
        do {
            var question =
                    new ListCharges(null, minute(0), minute(1000), minute(1000), null, marker, 1);
            ChargeSums page = ChargeSums.byLease(charges, question);
            assertThat(page.totals()).isEqualTo(whole.totals());
            paged.addAll(page.sums().items());
            marker = page.sums().next();
        } while (marker != null);

        assertThat(paged).isEqualTo(whole.sums().items());
    }
}
