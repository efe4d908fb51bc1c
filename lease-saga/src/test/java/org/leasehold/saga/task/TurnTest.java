package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.saga.task.Turn.Place;

import java.util.List;

class TurnTest {

    @Test
    void a_task_waits_for_what_was_submitted_before() {
        List<Place> places = List.of(new Place(1, "START", false), new Place(2, "ADJUST", false));

        assertThat(Turn.of(1, places)).isEqualTo(Turn.NOW);
        assertThat(Turn.of(2, places)).isEqualTo(Turn.LATER);
    }

    @Test
    void an_end_waits_for_a_start_under_way_and_nothing_begins_after_an_end_was_submitted() {
        List<Place> places = List.of(new Place(1, "START", false), new Place(2, "END", false));

        assertThat(Turn.of(1, places)).isEqualTo(Turn.NEVER);
        assertThat(Turn.of(2, places)).isEqualTo(Turn.LATER);
    }

    @Test
    void a_start_waits_for_its_preparation_under_way_which_does_not_begin_any_more() {
        List<Place> places = List.of(new Place(1, "PREPARE", false), new Place(2, "START", false));

        assertThat(Turn.of(1, places)).isEqualTo(Turn.NEVER);
        assertThat(Turn.of(2, places)).isEqualTo(Turn.LATER);
        assertThat(Turn.of(1, places.subList(0, 1))).isEqualTo(Turn.NOW);
    }

    @Test
    void nobody_waits_for_what_was_given_up() {
        List<Place> places = List.of(new Place(1, "START", true), new Place(2, "START", false));

        assertThat(Turn.of(2, places)).isEqualTo(Turn.NOW);
    }
}
