package org.leasehold.resource.openstack.compute;

import org.leasehold.lease.Fault;
import org.leasehold.resource.openstack.CloudFailure;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Deletes servers, and waits until they are gone.
 *
 * @param patience how long it waits for the servers of a host; less than a whole call may take
 * @param pause between two looks
 */
public record Eviction(Nova nova, Duration patience, Duration pause) {

    private static final int MOST_NAMES = 5;

    public void evict(NovaChanges changes, String host, Predicate<Server> unwanted) {
        Set<String> asked = new HashSet<>();
        long start = System.nanoTime();
        while (true) {
            List<Server> left = nova.serversOn(host).stream().filter(unwanted).toList();
            if (left.isEmpty()) {
                return;
            }
            if (System.nanoTime() - start > patience.toNanos()) {
                // Whoever comes again asks again: a compute service that died meanwhile does not
                // delete what it was asked to, but Nova itself does once it knows.
                throw unfinished("On the host %s are still %s".formatted(host, names(left)));
            }
            left.stream().map(Server::id).filter(asked::add).forEach(changes::deleteServer);
            pause(host);
        }
    }

    private void pause(String host) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw unfinished("Waiting for the servers on the host " + host + " was given up");
        }
    }

    private static String names(List<Server> servers) {
        List<String> first = servers.stream().limit(MOST_NAMES).map(Server::name).toList();
        int more = servers.size() - first.size();
        return String.join(", ", first) + (more == 0 ? "" : " and " + more + " more");
    }

    private static CloudFailure unfinished(String message) {
        return new CloudFailure(Fault.Kind.RETRYABLE, CloudFailure.NO_ANSWER, message);
    }
}
