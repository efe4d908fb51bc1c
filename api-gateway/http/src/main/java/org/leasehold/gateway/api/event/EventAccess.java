package org.leasehold.gateway.api.event;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.readmodel.event.EventFeed.Audience;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.wire.event.EventRedaction;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The events that callers may see, and the parts of them. */
public final class EventAccess {

    private EventAccess() {}

    /**
     * Returns the events that a caller may see. Administrators and auditors see all events, billers
     * those of every lease, planners those of resources, and members of a project those of its
     * leases.
     */
    static Audience audience(Caller caller) {
        boolean everything = caller.hasRole(Role.AUDITOR);
        Set<ProjectId> own = caller.hasRole(Role.READER) ? Set.of(caller.project()) : Set.of();
        return new Audience(
                everything || caller.hasRole(Role.BILLER) ? null : own,
                everything || caller.hasRole(Role.PLANNER));
    }

    /** Returns a function that redacts events for a caller; it queries hidden properties once. */
    public static UnaryOperator<Map<String, @Nullable Object>> redactor(
            EventRedaction redaction, Caller caller) {
        return caller.hasRole(Role.ADMIN)
                ? redaction.redactorForOperators()
                : redaction.redactorForProjects();
    }
}
