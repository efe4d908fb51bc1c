package org.leasehold.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.history.Epochs.Epoch;

import java.time.Instant;
import java.util.List;

class EpochsTest {

    private static final Epoch FIRST = Epochs.FIRST.current();
    private static final Epoch SECOND = new Epoch(2, 10, 100, Instant.EPOCH);
    private static final Epoch THIRD = new Epoch(3, 120, 200, Instant.EPOCH);
    private static final Epochs EPOCHS = new Epochs(List.of(FIRST, SECOND, THIRD));

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "10, 1", "101, 2", "120, 2", "201, 3"})
    void an_event_belongs_to_the_epoch_that_began_before_it(long position, long epoch) {
        assertThat(EPOCHS.of(position).number()).isEqualTo(epoch);
    }

    @ParameterizedTest
    @CsvSource({"11, 2", "100, 2", "121, 3", "200, 3"})
    void the_position_of_a_lost_event_identifies_the_epoch(long position, long epoch) {
        assertThat(EPOCHS.withoutEventAt(position)).map(Epoch::number).contains(epoch);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "10", "101", "120", "201"})
    void an_event_at_any_other_position_is_not_lost(long position) {
        assertThat(EPOCHS.withoutEventAt(position)).isEmpty();
        assertThat(Epochs.FIRST.withoutEventAt(position)).isEmpty();
    }

    @Test
    void an_empty_list_of_epochs_is_rejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Epochs(List.of()));
    }
}
