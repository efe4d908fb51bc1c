package org.leasehold.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.identity.Identities.Validation;

import java.time.Duration;

class RevocationPollerTest {

    private final TokenTestClock clock = new TokenTestClock();
    private final FakeIdentities keystone = new FakeIdentities();
    private final TokenCache cache =
            new TokenCache(keystone, TokenCacheTest.settings(Duration.ofMinutes(5), 100), clock);
    private final RevocationPoller watch = new RevocationPoller(keystone, cache);

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void a_revocation_removes_only_the_revoked_token_from_the_cache() {
        issue("mine", "u1");
        issue("another", "u2");
        watch.pollOnce();

        keystone.revoke("mine", clock.instant());
        assertThat(cache.validate("mine")).isInstanceOf(Validation.Valid.class);
        watch.pollOnce();

        assertThat(cache.validate("mine")).isInstanceOf(Validation.Refused.class);
        assertThat(cache.validate("another")).isInstanceOf(Validation.Valid.class);
        assertThat(keystone.asked).hasValue(3);
    }

    @Test
    void a_disabled_user_loses_all_cached_tokens() {
        issue("one", "u1");
        issue("two", "u1");
        issue("another", "u2");

        keystone.disable("u1", clock.instant());
        watch.pollOnce();

        assertThat(cache.validate("one")).isInstanceOf(Validation.Refused.class);
        assertThat(cache.validate("two")).isInstanceOf(Validation.Refused.class);
        assertThat(cache.validate("another")).isInstanceOf(Validation.Valid.class);
        assertThat(keystone.asked).hasValue(5);
    }

    @Test
    void a_revocation_is_applied_to_the_cache_only_once() {
        issue("mine", "u1");
        keystone.revoke("other", clock.instant());
        keystone.disable("u1", clock.instant());
        watch.pollOnce();
        issue("mine", "u1");
        keystone.asked.set(0);

        watch.pollOnce();
        clock.putForward(Duration.ofSeconds(5));
        watch.pollOnce();

        assertThat(cache.validate("mine")).isInstanceOf(Validation.Valid.class);
        assertThat(keystone.asked).hasValue(0);
    }

    @Test
    void two_revocations_in_one_second_are_both_applied() {
        issue("one", "u1");
        issue("two", "u2");
        keystone.revoke("one", clock.instant());
        watch.pollOnce();
        keystone.revoke("two", clock.instant());
        watch.pollOnce();

        assertThat(cache.validate("two")).isInstanceOf(Validation.Refused.class);
    }

    @Test
    void a_token_revoked_during_validation_is_not_cached() {
        keystone.issue("first", "u0", clock.in(Duration.ofHours(1)));
        cache.validate("first");
        keystone.issue("mine", "u1", clock.in(Duration.ofHours(1)));
        keystone.before =
                () -> {
                    keystone.before = () -> {};
                    keystone.revoke("mine", clock.instant());
                    watch.pollOnce();
                };
        assertThat(cache.validate("mine")).isInstanceOf(Validation.Valid.class);

        assertThat(cache.validate("mine")).isInstanceOf(Validation.Refused.class);
    }

    @Test
    void cached_tokens_stay_valid_while_keystone_is_unavailable() {
        issue("mine", "u1");
        keystone.away = true;
        watch.pollOnce();
        assertThat(cache.validate("mine")).isInstanceOf(Validation.Valid.class);

        keystone.away = false;
        keystone.revoke("mine", clock.instant());
        watch.pollOnce();
        assertThat(cache.validate("mine")).isInstanceOf(Validation.Refused.class);
    }

    @Test
    void the_poller_sends_no_request_while_the_cache_is_empty() {
        watch.pollOnce();

        assertThat(keystone.askedForRevocations).hasValue(0);
    }

    private void issue(String token, String user) {
        keystone.issue(token, user, clock.in(Duration.ofHours(1)));
        assertThat(cache.validate(token)).isInstanceOf(Validation.Valid.class);
    }
}
