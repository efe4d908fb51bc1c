package org.leasehold.publishing.webhook;

import org.leasehold.lease.ProjectId;
import org.leasehold.query.Feed.Audience;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A webhook that is switched on.
 *
 * @param everything whether it is told of all projects, and of resources
 * @param types names in the event catalog; none for all
 * @param position everything up to there was told, or lies by
 * @param secrets what messages are signed with, the newest first
 */
record Hook(
        UUID id,
        String project,
        boolean everything,
        String url,
        Set<String> types,
        long position,
        List<String> secrets) {

    Hook {
        types = Set.copyOf(types);
        secrets = List.copyOf(secrets);
    }

    Audience audience() {
        return everything
                ? new Audience(null, true)
                : new Audience(Set.of(new ProjectId(project)), false);
    }

    /** Without its secrets, and its address: there may be one in it. */
    @Override
    public String toString() {
        return "webhook " + id;
    }
}
