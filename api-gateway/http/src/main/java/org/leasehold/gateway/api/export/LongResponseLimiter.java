package org.leasehold.gateway.api.export;

import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.security.Caller;
import org.leasehold.vocabulary.ProjectId;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * A concurrency limit of long and large responses on a node. Callers who see all projects have
 * other slots than callers who see only their own, and each project has one slot. So a client that
 * is slow, or means to be, blocks no biller, operator or other project.
 */
public final class LongResponseLimiter {

    /** The slots of each group. A response may read all events; commands must not slow down. */
    public static final int MAX_CONCURRENT = 2;

    private final String description;
    private final Semaphore sharedSlots = new Semaphore(MAX_CONCURRENT);

    /** The projects that use a slot; guarded by its own lock. */
    private final Set<ProjectId> activeProjects = new HashSet<>();

    /**
     * Creates the slots for one sort of response.
     *
     * @param words the subject and verb of an error message, such as {@code exports are made}
     */
    public LongResponseLimiter(String words) {
        this.description = words;
    }

    /** A slot, until it is closed. */
    public interface Slot extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Acquires a slot.
     *
     * @throws ProblemException if none is free, or the caller's project has one
     */
    public Slot acquire(Caller caller) {
        ProjectId own = caller.readScope();
        return own == null ? acquire() : acquire(own);
    }

    private Slot acquire() {
        if (!sharedSlots.tryAcquire()) {
            throw busy("At most %s %s on a node at once".formatted(MAX_CONCURRENT, description));
        }
        return sharedSlots::release;
    }

    private Slot acquire(ProjectId project) {
        synchronized (activeProjects) {
            if (activeProjects.contains(project)) {
                throw busy("No two %s for one project on a node at once".formatted(description));
            }
            if (activeProjects.size() == MAX_CONCURRENT) {
                throw busy(
                        "At most %s %s for single projects on a node at once"
                                .formatted(MAX_CONCURRENT, description));
            }
            activeProjects.add(project);
        }
        return () -> release(project);
    }

    private void release(ProjectId project) {
        synchronized (activeProjects) {
            activeProjects.remove(project);
        }
    }

    private static ProblemException busy(String why) {
        return new ProblemException(
                Problem.of(503, "busy", why + "; try again later."), Limit.DOWNLOADS);
    }
}
