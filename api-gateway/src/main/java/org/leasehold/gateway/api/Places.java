package org.leasehold.gateway.api;

import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.security.Caller;
import org.leasehold.lease.ProjectId;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * What takes long and much, and only so many may have at once on a node. Who sees every project's
 * has other places than who sees their own alone, and of those a project has one: nobody who is
 * slow, or means to be, keeps out whoever bills or operates, or another project.
 */
final class Places {

    /** Each may read the whole history; commands must not notice. */
    static final int AT_ONCE = 2;

    private final String words;
    private final Semaphore everybodys = new Semaphore(AT_ONCE);

    /** Those that have one of the other places; whoever looks at them holds their lock. */
    private final Set<ProjectId> projects = new HashSet<>();

    /**
     * Of one sort.
     *
     * @param words what is made of these, and that it is, such as {@code exports are made}
     */
    Places(String words) {
        this.words = words;
    }

    /** One of them, until it is closed. */
    interface Place extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Takes one.
     *
     * @throws ProblemException if others have them all, or the caller's project has one
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
