package org.leasehold.command.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.axonframework.commandhandling.GenericCommandMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.parallel.Isolated;
import org.leasehold.command.CommandContext;
import org.leasehold.command.Commands;
import org.leasehold.command.Outcome.Accepted;
import org.leasehold.command.execution.GroupTransaction.Waiting;
import org.leasehold.command.journal.EventSamples;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The writer thread survives every failure while it forms a group of commands. */
@Isolated("It would interrupt the writers of other tests' nodes that start meanwhile")
class GroupCommitThreadTest {

    @Test
    @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
    void an_interrupt_does_not_end_the_deciding_thread() {
        try (EventStoreDatabase database = new EventStoreDatabase()) {
            Collection<Thread> others = writers();
            try (AnnotationConfigApplicationContext node =
                    database.node(TestAggregate.shell(new AtomicInteger()))) {
                Set<Thread> own = new HashSet<>(writers());
                own.removeAll(others);
                assertThat(own).isNotEmpty();

                own.forEach(Thread::interrupt);

                assertThat(
                                node.getBean(Commands.class)
                                        .send(
                                                EventSamples.creation(
                                                        new LeaseId(UUID.randomUUID())),
                                                context()))
                        .isInstanceOf(Accepted.class);
                assertThat(node.getBean(GroupCommit.class).endedThreads()).isEmpty();
            }
        }
    }

    @Test
    void a_defective_command_is_moved_to_a_separate_group() {
        Waiting sound = waiting(Set.of("a"));
        Waiting unsound = waiting(Set.of(new Unsound()));
        Waiting next = waiting(Set.of("b"));
        Deque<Waiting> queue = new ArrayDeque<>(List.of(sound, unsound, next));
        List<Waiting> group = new ArrayList<>();

        assertThatThrownBy(() -> GroupTransaction.fillGroup(queue, group)).hasMessage("unsound");

        assertThat(group).containsExactly(sound);
        assertThat(queue).containsExactly(unsound, next);
        group.clear();
        assertThatThrownBy(() -> GroupTransaction.fillGroup(queue, group)).hasMessage("unsound");
        assertThat(group).containsExactly(unsound);
        assertThat(queue).containsExactly(next);
    }

    private static Waiting waiting(Set<Object> apart) {
        return new Waiting(
                GenericCommandMessage.asCommandMessage("command"),
                apart,
                new CompletableFuture<>());
    }

    /** A key that no set can contain. */
    private static final class Unsound {

        @Override
        public int hashCode() {
            throw new IllegalStateException("unsound");
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    private static CommandContext context() {
        return new CommandContext(
                Instant.parse("2030-01-01T09:59:00Z"),
                "req-1",
                "u",
                "p",
                List.of("member"),
                "basic",
                null);
    }

    private static Collection<Thread> writers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("journal-writer"))
                .toList();
    }
}
