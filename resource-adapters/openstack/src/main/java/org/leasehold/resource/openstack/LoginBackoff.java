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
 * Logins that Keystone rejected, each with a pause before the next attempt. Keystone may lock an
 * account after a few attempts, and every plug-in logs in separately.
 */
final class LoginBackoff {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

    /** The time after a pause in which the next rejection lengthens the pause. */
    private static final Duration REFUSAL_LIFETIME = Duration.ofMinutes(10);

    /** All logins of this process: each plug-in logs in separately, but with one account. */
    static final LoginBackoff SHARED = new LoginBackoff();

    private final ExponentialBackOff pauses = new ExponentialBackOff(FIRST_PAUSE.toMillis(), 2);
    private final Map<Account, Refusal> refusals = new HashMap<>();

    LoginBackoff() {
        pauses.setMaxInterval(MAX_PAUSE.toMillis());
    }

    /**
     * The account of a login.
     *
     * @param scope of the token, as in the request
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

        /** Omits the password, which must not end up in logs. */
        @Override
        public String toString() {
            return "Account[%s of %s at %s]".formatted(user, domain, keystone);
        }
    }

    private record Refusal(
            CloudFailure failure, BackOffExecution pauses, Instant since, Instant until) {

        /** Returns whether the pause lasts; a clock that was set back does not extend it. */
        boolean isPausing(Instant now) {
            return !now.isBefore(since) && now.isBefore(until);
        }

        boolean isExpired(Instant now) {
            return now.isAfter(until.plus(REFUSAL_LIFETIME));
        }

        Refusal withNextPause(CloudFailure why, Instant now) {
            return new Refusal(why, pauses, now, now.plusMillis(pauses.nextBackOff()));
        }
    }

    /**
     * Checks whether an account may log in.
     *
     * @return the last rejection while its pause lasts, as a retryable failure: Keystone may decide
     *     otherwise by now. After that one caller may log in, and the next pause begins for all
     *     others
     */
    synchronized Optional<CloudFailure> checkBackoff(Account account, Instant now) {
        @Nullable Refusal last = refusals.get(account);
        if (last == null) {
            return Optional.empty();
        }
        if (last.isPausing(now)) {
            return Optional.of(last.failure().asRetryable());
        }
        refusals.put(account, last.withNextPause(last.failure(), now));
        return Optional.empty();
    }

    /** Records a failed login. It counts only if Keystone rejected it. */
    synchronized void recordFailure(Account account, CloudFailure failure, Instant now) {
        if (!failure.isRefusal()) {
            return;
        }
        refusals.values().removeIf(each -> each.isExpired(now));
        @Nullable Refusal last = refusals.get(account);
        if (last == null) {
            last = new Refusal(failure, pauses.start(), now, now);
        }
        if (!last.isPausing(now)) {
            refusals.put(account, last.withNextPause(failure, now));
        }
    }

    /** Records that Keystone accepts the login. */
    synchronized void recordSuccess(Account account) {
        refusals.remove(account);
    }
}
