package org.leasehold.publishing.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The resolver of the machine, which has no timeout of its own: the caller stops waiting. It uses a
 * platform thread, because it would block all virtual ones.
 */
final class SystemHostResolver implements HostResolver {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Override
    public InetAddress[] lookUp(String host) throws UnknownHostException {
        FutureTask<InetAddress[]> answer = new FutureTask<>(() -> InetAddress.getAllByName(host));
        Thread.ofPlatform().daemon().name("webhook-names").start(answer);
        try {
            return answer.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownHostException("interrupted");
        } catch (ExecutionException | TimeoutException e) {
            throw new UnknownHostException("not known, or not in time");
        }
    }
}
