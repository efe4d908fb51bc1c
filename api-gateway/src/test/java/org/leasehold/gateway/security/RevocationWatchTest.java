package org.leasehold.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.leasehold.resource.identity.Identities.Validation;

import java.time.Duration;

class RevocationWatchTest {

    private final SetClock clock = new SetClock();
    private final IdentitiesOnPaper keystone = new IdentitiesOnPaper();
    private final TokenCache cache =
            new TokenCache(keystone, TokenCacheTest.settings(Duration.ofMinutes(5), 100), clock);
    private final RevocationWatch watch = new RevocationWatch(keystone, cache);

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void a_revoked_token_is_forgotten_and_no_other() {
        issue("mine", "u1");
        issue("another", "u2");
        watch.look();

        keystone.revoke("mine", clock.instant());
        assertThat(cache.find("mine")).isInstanceOf(Validation.Valid.class);
        watch.look();

        assertThat(cache.find("mine")).isInstanceOf(Validation.Refused.class);
        assertThat(cache.find("another")).isInstanceOf(Validation.Valid.class);
        assertThat(keystone.asked).hasValue(3);
    }

    @Test
    void all_tokens_of_a_user_who_was_disabled_are_forgotten() {
        issue("one", "u1");
        issue("two", "u1");
        issue("another", "u2");

        keystone.disable("u1", clock.instant());
        watch.look();

        assertThat(cache.find("one")).isInstanceOf(Validation.Refused.class);
        assertThat(cache.find("two")).isInstanceOf(Validation.Refused.class);
        assertThat(cache.find("another")).isInstanceOf(Validation.Valid.class);
        assertThat(keystone.asked).hasValue(5);
    }

    @Test
    void one_revocation_makes_nobody_ask_twice() {
        issue("mine", "u1");
        keystone.revoke("other", clock.instant());
        keystone.disable("u1", clock.instant());
        watch.look();
        issue("mine", "u1");
        keystone.asked.set(0);

        watch.look();
        clock.putForward(Duration.ofSeconds(5));
        watch.look();

        assertThat(cache.find("mine")).isInstanceOf(Validation.Valid.class);
        assertThat(keystone.asked).hasValue(0);
    }

    @Test
    void of_two_revocations_in_one_second_none_is_missed() {
        issue("one", "u1");
        issue("two", "u2");
        keystone.revoke("one", clock.instant());
        watch.look();
        keystone.revoke("two", clock.instant());
        watch.look();

        assertThat(cache.find("two")).isInstanceOf(Validation.Refused.class);
    }

    @Test
    void what_is_revoked_while_the_cloud_answers_is_not_remembered() {
        keystone.issue("first", "u0", clock.in(Duration.ofHours(1)));
        cache.find("first");
        keystone.issue("mine", "u1", clock.in(Duration.ofHours(1)));
        keystone.before =
                () -> {
                    keystone.before = () -> {};
                    keystone.revoke("mine", clock.instant());
                    watch.look();
                };
        assertThat(cache.find("mine")).isInstanceOf(Validation.Valid.class);

        assertThat(cache.find("mine")).isInstanceOf(Validation.Refused.class);
    }

    @Test
    void a_cloud_that_is_away_costs_nobody_their_place() {
        issue("mine", "u1");
        keystone.away = true;
        watch.look();
        assertThat(cache.find("mine")).isInstanceOf(Validation.Valid.class);

        keystone.away = false;
        keystone.revoke("mine", clock.instant());
        watch.look();
        assertThat(cache.find("mine")).isInstanceOf(Validation.Refused.class);
    }

    @Test
    void while_nobody_is_remembered_nothing_is_asked() {
        watch.look();

        assertThat(keystone.askedForRevocations).hasValue(0);
    }

    private void issue(String token, String user) {
        keystone.issue(token, user, clock.in(Duration.ofHours(1)));
        assertThat(cache.find(token)).isInstanceOf(Validation.Valid.class);
    }
}
