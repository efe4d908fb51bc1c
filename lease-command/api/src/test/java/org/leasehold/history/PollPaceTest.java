package org.leasehold.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

class PollPaceTest {

    private final PollPace pace = new PollPace(4, 3);

    @Test
    void the_first_polls_without_a_change_are_all_made() {
        assertThat(made(4)).isEqualTo(4);
    }

    @Test
    void only_each_nth_later_poll_is_made() {
        made(4);

        assertThat(made(30)).isEqualTo(10);
    }

    @Test
    void each_poll_is_made_again_after_a_change() {
        made(30);
        pace.resume();

        assertThat(made(4)).isEqualTo(4);
    }

    private long made(int polls) {
        return IntStream.range(0, polls).filter(_ -> pace.isDue()).count();
    }
}
