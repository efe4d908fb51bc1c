package org.leasehold.resource.openstack;

import org.jspecify.annotations.Nullable;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Logins that Keystone refused. Nobody repeats one before its pause is over: Keystone may lock an
 * account after a few of them, and every plugin has a login of its own.
 */
final class RefusedLogins {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** For how long after a pause the next refusal makes a longer one. */
    private static final Duration MEMORY = Duration.ofMinutes(10);

    /** All of this process: each plugin logs in for itself, but with one account. */
    static final RefusedLogins OF_THIS_PROCESS = new RefusedLogins();

    private final ExponentialBackOff pauses = new ExponentialBackOff(FIRST_PAUSE.toMillis(), 2);
    private final Map<Account, Refusal> refusals = new HashMap<>();

    RefusedLogins() {
        pauses.setMaxInterval(LONGEST_PAUSE.toMillis());
    }

    /**
     * Who logs in, and where.
     *
     * @param scope of the token, as the request has it
     */
    record Account(
            URI keystone, String domain, String user, String password, Map<String, ?> scope) {

        static Account of(CloudSettings settings, Map<String, ?> scope) {
            return new Account(
                    settings.authUrl(),
                    settings.userDomain(),
                    settings.user(),
                    settings.password(),
                    scope);
        }

        /** A password must not end up in logs. */
        @Override
        public String toString() {
            return "Account[%s of %s at %s]".formatted(user, domain, keystone);
        }
    }

    private record Refusal(
            CloudFailure failure, BackOffExecution pauses, Instant since, Instant until) {

        /** A clock that was put back makes no pause longer. */
        boolean isPausing(Instant now) {
            return !now.isBefore(since) && now.isBefore(until);
        }

        boolean isForgotten(Instant now) {
            return now.isAfter(until.plus(MEMORY));
        }

        Refusal again(CloudFailure why, Instant now) {
            return new Refusal(why, pauses, now, now.plusMillis(pauses.nextBackOff()));
        }
    }

    /**
     * Asks whether somebody may log in.
     *
     * @return the last refusal as long as its pause lasts, as one that may be tried again: Keystone
     *     may think otherwise by now. After that one caller may log in, and the next pause begins
     *     for all others
     */
    synchronized Optional<CloudFailure> enter(Account account, Instant now) {
        @Nullable Refusal last = refusals.get(account);
        if (last == null) {
            return Optional.empty();
        }
        if (last.isPausing(now)) {
            return Optional.of(last.failure().remembered());
        }
        refusals.put(account, last.again(last.failure(), now));
        return Optional.empty();
    }

    /** Notes that a login has failed. It counts only if Keystone refused it. */
    synchronized void failed(Account account, CloudFailure failure, Instant now) {
        if (!failure.isRefusal()) {
            return;
        }
        refusals.values().removeIf(each -> each.isForgotten(now));
        @Nullable Refusal last = refusals.get(account);
        if (last == null) {
            last = new Refusal(failure, pauses.start(), now, now);
        }
        if (!last.isPausing(now)) {
            refusals.put(account, last.again(failure, now));
        }
    }

    /** Notes that Keystone accepts the login. */
    synchronized void succeeded(Account account) {
        refusals.remove(account);
    }
}
