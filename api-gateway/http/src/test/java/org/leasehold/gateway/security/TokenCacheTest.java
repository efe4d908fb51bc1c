package org.leasehold.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.identity.Identities.Validation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class TokenCacheTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TokenTestClock clock = new TokenTestClock();
    private final FakeIdentities keystone = new FakeIdentities();
    private TokenCache cache = cache(Duration.ofMinutes(5), 100);

    @Test
    void a_token_is_validated_once_within_the_cache_time() {
        keystone.issue("mine", "u1", clock.in(HOUR));

        assertThat(user("mine")).isEqualTo("u1");
        clock.putForward(Duration.ofSeconds(299));
        assertThat(user("mine")).isEqualTo("u1");
        assertThat(keystone.asked).hasValue(1);

        clock.putForward(Duration.ofSeconds(2));
        assertThat(user("mine")).isEqualTo("u1");
        assertThat(keystone.asked).hasValue(2);
    }

    @Test
    void a_token_is_not_cached_after_it_expires() {
        keystone.issue("mine", "u1", clock.in(Duration.ofSeconds(20)));
        user("mine");

        clock.putForward(Duration.ofSeconds(21));
        cache.validate("mine");

        assertThat(keystone.asked).hasValue(2);
    }

    @Test
    void a_token_expired_by_the_local_clock_is_validated_at_each_request() {
        keystone.issue("mine", "u1", clock.in(Duration.ofSeconds(-5)));

        assertThat(user("mine")).isEqualTo("u1");
        assertThat(user("mine")).isEqualTo("u1");
        assertThat(keystone.asked).hasValue(2);
    }

    @Test
    void a_cache_time_of_zero_disables_the_cache() {
        cache = cache(Duration.ZERO, 100);
        keystone.issue("mine", "u1", clock.in(HOUR));

        user("mine");
        user("mine");
        assertThat(cache.validate("wrong")).isInstanceOf(Validation.Refused.class);
        assertThat(cache.validate("wrong")).isInstanceOf(Validation.Refused.class);

        assertThat(keystone.asked).hasValue(4);
        assertThat(cache.isEmpty()).isTrue();
    }

    @Test
    void a_refused_token_is_cached_briefly() {
        assertThat(cache.validate("wrong")).isInstanceOf(Validation.Refused.class);
        assertThat(cache.validate("wrong")).isInstanceOf(Validation.Refused.class);
        assertThat(keystone.asked).hasValue(1);

        keystone.issue("wrong", "u1", clock.in(HOUR));
        clock.putForward(Duration.ofSeconds(6));
        assertThat(user("wrong")).isEqualTo("u1");
    }

    @Test
    void an_unavailable_keystone_refuses_no_token_and_cached_tokens_stay_valid() {
        keystone.issue("mine", "u1", clock.in(HOUR));
        keystone.issue("another", "u2", clock.in(HOUR));
        user("mine");

        keystone.away = true;
        assertThat(user("mine")).isEqualTo("u1");
        assertThat(cache.validate("another")).isInstanceOf(Validation.Unknown.class);

        keystone.away = false;
        assertThat(user("another")).isEqualTo("u2");
    }

    @Test
    void concurrent_requests_with_one_token_cause_one_validation() throws Exception {
        keystone.issue("mine", "u1", clock.in(HOUR));
        CountDownLatch all = new CountDownLatch(1);
        keystone.before = () -> await(all);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<String>> users = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                users.add(threads.submit(() -> user("mine")));
            }
            all.countDown();
            for (Future<String> user : users) {
                assertThat(user.get()).isEqualTo("u1");
            }
        }
        assertThat(keystone.asked).hasValue(1);
    }

    @Test
    void the_cache_holds_a_limited_number_of_tokens() {
        cache = cache(HOUR, 10);
        for (int i = 0; i < 1_000; i++) {
            keystone.issue("t" + i, "u" + i, clock.in(HOUR));
            user("t" + i);
        }
        keystone.asked.set(0);
        for (int i = 0; i < 1_000; i++) {
            user("t" + i);
        }
        assertThat(keystone.asked.get()).isGreaterThanOrEqualTo(990);
    }

    @Test
    void an_exception_during_validation_is_not_cached() {
        keystone.issue("mine", "u1", clock.in(HOUR));
        keystone.before =
                () -> {
                    keystone.before = () -> {};
                    throw new IllegalStateException("a defect");
                };
        assertThatThrownBy(() -> cache.validate("mine")).hasMessage("a defect");

        assertThat(user("mine")).isEqualTo("u1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "two words", "line\nbreak", "ümlaut", "tab\t"})
    void a_malformed_token_is_refused_without_a_request_to_keystone(String token) {
        assertThat(cache.validate(token)).isInstanceOf(Validation.Refused.class);
        assertThat(keystone.asked).hasValue(0);
    }

    private String user(String token) {
        return cache.validate(token) instanceof Validation.Valid(var identity)
                ? identity.user().value()
                : "nobody";
    }

    private TokenCache cache(Duration time, int maxCached) {
        return new TokenCache(keystone, settings(time, maxCached), clock);
    }

    static AuthenticationSettings settings(Duration cacheTime, int maxCached) {
        return new AuthenticationSettings(
                AuthenticationSettings.Method.KEYSTONE,
                cacheTime,
                maxCached,
                Duration.ZERO,
                Duration.ofSeconds(10),
                null,
                Set.of("Cloud_Auditor"),
                Set.of(),
                Set.of(),
                Set.of("_Member_"));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
