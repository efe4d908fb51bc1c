package org.leasehold.saga.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.saga.task.TaskReadiness.QueuedTask;

import java.util.List;

class TaskReadinessTest {

    @Test
    void a_task_waits_for_the_tasks_submitted_before_it() {
        List<QueuedTask> tasks =
                List.of(new QueuedTask(1, "START", false), new QueuedTask(2, "ADJUST", false));

        assertThat(TaskReadiness.of(1, tasks)).isEqualTo(TaskReadiness.NOW);
        assertThat(TaskReadiness.of(2, tasks)).isEqualTo(TaskReadiness.LATER);
    }

    @Test
    void an_end_waits_for_an_earlier_start_that_may_no_longer_begin() {
        List<QueuedTask> tasks =
                List.of(new QueuedTask(1, "START", false), new QueuedTask(2, "END", false));

        assertThat(TaskReadiness.of(1, tasks)).isEqualTo(TaskReadiness.NEVER);
        assertThat(TaskReadiness.of(2, tasks)).isEqualTo(TaskReadiness.LATER);
    }

    @Test
    void a_start_waits_for_an_earlier_preparation_that_may_no_longer_begin() {
        List<QueuedTask> tasks =
                List.of(new QueuedTask(1, "PREPARE", false), new QueuedTask(2, "START", false));

        assertThat(TaskReadiness.of(1, tasks)).isEqualTo(TaskReadiness.NEVER);
        assertThat(TaskReadiness.of(2, tasks)).isEqualTo(TaskReadiness.LATER);
        assertThat(TaskReadiness.of(1, tasks.subList(0, 1))).isEqualTo(TaskReadiness.NOW);
    }

    @Test
    void a_task_does_not_wait_for_a_task_that_was_given_up() {
        List<QueuedTask> tasks =
                List.of(new QueuedTask(1, "START", true), new QueuedTask(2, "START", false));

        assertThat(TaskReadiness.of(2, tasks)).isEqualTo(TaskReadiness.NOW);
    }
}
