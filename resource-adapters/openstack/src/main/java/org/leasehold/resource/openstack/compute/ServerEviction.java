package org.leasehold.resource.openstack.compute;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;
import org.leasehold.resource.openstack.PollingWait;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A deletion of servers that waits until they are gone. */
public record ServerEviction(Nova nova, PollingWait patience) {

    private static final int MAX_NAMES = 5;

    /** Deletes servers on a host. */
    public void evict(NovaChanges changes, String host, Predicate<NovaServer> unwanted) {
        evict(
                changes,
                () -> nova.serversOn(host).stream().filter(unwanted).toList(),
                "On the host " + host);
    }

    /**
     * Deletes the servers that a query returns.
     *
     * @param where they are, for people
     */
    public void evict(NovaChanges changes, Supplier<List<NovaServer>> look, String where) {
        Set<String> asked = new HashSet<>();
        // A retry deletes again. A compute service that died meanwhile does not delete its servers;
        // Nova does so later.
        patience.awaitRemaining(
                        () -> {
                            List<NovaServer> left = look.get();
                            left.stream()
                                    .map(NovaServer::id)
                                    .filter(asked::add)
                                    .forEach(id -> delete(changes, id, where));
                            return Optional.of(left).filter(servers -> !servers.isEmpty());
                        })
                .ifPresent(
                        left -> {
                            throw incompleteEviction(where, left);
                        });
    }

    /** Deletes a server. Nova's message names it, and it may be of another project. */
    private static void delete(NovaChanges changes, String id, String where) {
        try {
            changes.deleteServer(id);
        } catch (CloudFailure failure) {
            throw new CloudFailure(
                    failure.fault().kind(),
                    failure.status(),
                    where + " is a server that Nova does not delete",
                    failure.fault().message());
        }
    }

    /** Returns the failure. Only operators see names, as some servers may be of other projects. */
    private static CloudFailure incompleteEviction(String where, List<NovaServer> left) {
        return new CloudFailure(
                Fault.Kind.RETRYABLE,
                CloudFailure.NO_ANSWER,
                "%s is still a number of servers: %s".formatted(where, left.size()),
                "%s are still %s".formatted(where, names(left)));
    }

    private static String names(List<NovaServer> servers) {
        List<String> first = servers.stream().limit(MAX_NAMES).map(NovaServer::name).toList();
        int more = servers.size() - first.size();
        return String.join(", ", first) + (more == 0 ? "" : " and " + more + " more");
    }
}
