package org.leasehold.publishing.webhook;

import org.leasehold.readmodel.event.EventFeed.Audience;
import org.leasehold.vocabulary.ProjectId;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A webhook that is switched on.
 *
 * @param everything true if it gets events of all projects, and of resources
 * @param types names in the event catalog; none for all
 * @param position the offset: earlier events were delivered, or wait for a retry
 * @param secrets the secrets that sign messages, the newest first
 */
record EnabledWebhook(
        UUID id,
        String project,
        boolean everything,
        String url,
        Set<String> types,
        long position,
        List<String> secrets) {

    EnabledWebhook {
        types = Set.copyOf(types);
        secrets = List.copyOf(secrets);
    }

    Audience audience() {
        return everything
                ? new Audience(null, true)
                : new Audience(Set.of(new ProjectId(project)), false);
    }

    /** Omits the secrets, and the URL, which may contain one. */
    @Override
    public String toString() {
        return "webhook " + id;
    }
}
