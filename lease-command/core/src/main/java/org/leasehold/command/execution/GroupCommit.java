package org.leasehold.command.execution;

import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.CommandResultMessage;
import org.leasehold.command.execution.GroupTransaction.Waiting;
import org.leasehold.history.VitalThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Decides commands one after the other, in one thread. Commands that arrive during a commit form
 * the next group. No command waits for others to join.
 */
final class GroupCommit implements CommandExecutor, AutoCloseable, VitalThreads {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final GroupTransaction groups;
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final Thread writer = Thread.ofPlatform().name("journal-writer").unstarted(this::work);
    private boolean closed;

    GroupCommit(GroupTransaction groups) {
        this.groups = groups;
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public CommandResultMessage<?> send(CommandMessage<?> command) {
        Waiting waiting = Waiting.of(command);
        synchronized (queue) {
            if (closed) {
                throw new IllegalStateException("the journal is closed");
            }
            queue.add(waiting);
            queue.notifyAll();
        }
        return await(waiting.result());
    }

    private static CommandResultMessage<?> await(
            CompletableFuture<CommandResultMessage<?>> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }

    /** Returns the number of commands that wait for the next group. */
    int queueLength() {
        synchronized (queue) {
            return queue.size();
        }
    }

    @Override
    public Set<String> endedThreads() {
        synchronized (queue) {
            return closed || writer.isAlive() ? Set.of() : Set.of(writer.getName());
        }
    }

    private void work() {
        List<Waiting> group = new ArrayList<>();
        boolean more = true;
        while (more) {
            try {
                group.clear();
                more = takeGroup(group);
                if (more) {
                    // An interrupt means nothing here, and would fail the commands of the group.
                    boolean _ = Thread.interrupted();
                    groups.decide(group);
                }
            } catch (InterruptedException | RuntimeException | Error e) {
                // The thread survives every failure: without it, nothing is decided any more.
                if (group.isEmpty()) {
                    LOG.atError().setCause(e).log("The next group of commands was not formed");
                }
                group.forEach(waiting -> waiting.result().completeExceptionally(e));
            }
        }
    }

    /** Waits for commands and moves them to a group; returns false after the last one. */
    private boolean takeGroup(List<Waiting> group) throws InterruptedException {
        synchronized (queue) {
            while (queue.isEmpty() && !closed) {
                queue.wait();
            }
            GroupTransaction.fillGroup(queue, group);
            return !group.isEmpty();
        }
    }

    /** Decides the commands that wait already, and no others. */
    @Override
    public void close() {
        synchronized (queue) {
            closed = true;
            queue.notifyAll();
        }
        try {
            writer.join();
        } catch (InterruptedException e) {
            // An interrupt ends the wait before the writer is done; the writer survives that.
            Thread.currentThread().interrupt();
        }
    }
}
