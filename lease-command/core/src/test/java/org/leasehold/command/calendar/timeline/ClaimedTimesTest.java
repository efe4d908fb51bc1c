package org.leasehold.command.calendar.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.leasehold.command.calendar.stored.SampleRequests.hours;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.vocabulary.LeasePeriod;

import java.util.ArrayList;
import java.util.List;

class ClaimedTimesTest {

    private static List<LeasePeriod> periods(ClaimedTimes times) {
        List<LeasePeriod> periods = new ArrayList<>();
        times.forEachTouching(hours(0, 100), periods::add);
        return periods;
    }

    /** A claim may be replaced by another one from the same instant on, in one batch of events. */
    @ParameterizedTest
    @CsvSource({"7, 11", "11, 7"})
    void the_removed_claim_goes_and_one_from_the_same_instant_on_stays(int removed, int added) {
        ClaimedTimes times =
                ClaimedTimes.NONE
                        .with(hours(20, 21))
                        .with(hours(4, removed))
                        .with(hours(1, 2))
                        .with(hours(4, added))
                        .without(hours(4, removed));

        assertThat(periods(times)).containsExactly(hours(1, 2), hours(4, added), hours(20, 21));
    }

    @Test
    void a_claim_that_is_not_there_is_not_removed() {
        ClaimedTimes times = ClaimedTimes.NONE.with(hours(4, 7));

        assertThat(periods(times.without(hours(4, 8)))).containsExactly(hours(4, 7));
        assertThat(periods(times.without(hours(3, 7)))).containsExactly(hours(4, 7));
        assertThat(times.without(hours(4, 7)).size()).isZero();
    }
}
