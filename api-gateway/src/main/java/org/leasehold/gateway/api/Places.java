package org.leasehold.gateway.api;

import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.security.Caller;
import org.leasehold.lease.ProjectId;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * A concurrency limit of long and large responses on a node. Callers who see all projects have
 * other slots than callers who see only their own, and each project has one slot. So a client that
 * is slow, or means to be, blocks no biller, operator or other project.
 */
final class Places {

    /** The slots of each group. A response may read all events; commands must not slow down. */
    static final int AT_ONCE = 2;

    private final String words;
    private final Semaphore everybodys = new Semaphore(AT_ONCE);

    /** The projects that use a slot; guarded by its own lock. */
    private final Set<ProjectId> projects = new HashSet<>();

    /**
     * Creates the slots for one sort of response.
     *
     * @param words the subject and verb of an error message, such as {@code exports are made}
     */
    Places(String words) {
        this.words = words;
    }

    /** A slot, until it is closed. */
    interface Place extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Acquires a slot.
     *
     * @throws ProblemException if none is free, or the caller's project has one
     */
    Place take(Caller caller) {
        ProjectId own = caller.readScope();
        return own == null ? take() : take(own);
    }

    private Place take() {
        if (!everybodys.tryAcquire()) {
            throw busy("At most %s %s on a node at once".formatted(AT_ONCE, words));
        }
        return everybodys::release;
    }

    private Place take(ProjectId project) {
        synchronized (projects) {
            if (projects.contains(project)) {
                throw busy("No two %s for one project on a node at once".formatted(words));
            }
            if (projects.size() == AT_ONCE) {
                throw busy(
                        "At most %s %s for single projects on a node at once"
                                .formatted(AT_ONCE, words));
            }
            projects.add(project);
        }
        return () -> release(project);
    }

    private void release(ProjectId project) {
        synchronized (projects) {
            projects.remove(project);
        }
    }

    private static ProblemException busy(String why) {
        return new ProblemException(
                Problem.of(503, "busy", why + "; try again later."), Limit.DOWNLOADS);
    }
}
