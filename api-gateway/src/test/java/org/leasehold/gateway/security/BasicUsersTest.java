package org.leasehold.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.limits.FailedLogins;
import org.leasehold.gateway.limits.LimitSettings;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

class BasicUsersTest {

    private static final int FAILURES = 7;

    private final CountingEncoder encoder = new CountingEncoder();
    private final GatewaySettings.User alice =
            new GatewaySettings.User(
                    "alice", "encoded:sesame", "u1", "p1", "demo", Set.of("member", "biller"));
    private final BasicUsers users = basic(alice);

    @Test
    void a_user_is_who_the_configuration_says() {
        assertThat(login("alice", "sesame").getPrincipal())
                .isInstanceOfSatisfying(
                        Caller.class,
                        caller -> {
                            assertThat(caller.user().value()).isEqualTo("u1");
                            assertThat(caller.project().value()).isEqualTo("p1");
                            assertThat(caller.roles()).containsExactly(Role.MEMBER, Role.BILLER);
                        });
    }

    @Test
    void a_password_is_hashed_the_first_time_only() {
        for (int i = 0; i < 5; i++) {
            login("alice", "sesame");
        }
        assertThat(encoder.compared).hasSize(1);
    }

    @Test
    void a_wrong_password_is_refused_also_after_a_right_one() {
        assertThatThrownBy(() -> login("alice", "Sesame"))
                .isInstanceOf(BadCredentialsException.class);
        login("alice", "sesame");
        assertThatThrownBy(() -> login("alice", "Sesame"))
                .isInstanceOf(BadCredentialsException.class);
        login("alice", "sesame");
    }

    @Test
    void an_unknown_user_takes_the_work_of_a_wrong_password_of_a_user() {
        assertThatThrownBy(() -> login("mallory", "Sesame"))
                .isInstanceOf(BadCredentialsException.class);
        assertThat(encoder.compared).containsExactly("encoded:sesame");
    }

    @Test
    void an_unknown_user_is_refused_with_the_password_of_a_user_too() {
        assertThatThrownBy(() -> login("mallory", "sesame"))
                .isInstanceOf(BadCredentialsException.class);
    }

    @Test
    void an_unknown_name_is_always_compared_with_the_same_password() {
        GatewaySettings.User bob =
                new GatewaySettings.User("bob", "encoded:b", "u2", "p1", "demo", Set.of("member"));
        BasicUsers both = basic(alice, bob);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> both.authenticate(claim("mallory", "x")))
                    .isInstanceOf(BadCredentialsException.class);
        }
        assertThat(Set.copyOf(encoder.compared)).hasSize(1);
    }

    @Test
    void without_users_nobody_logs_in() {
        BasicUsers none = basic();
        assertThatThrownBy(() -> none.authenticate(claim("mallory", "x")))
                .isInstanceOf(BadCredentialsException.class);
    }

    @Test
    void two_users_of_one_name_are_a_mistake_in_the_configuration() {
        assertThatThrownBy(() -> basic(alice, alice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("alice");
    }

    @Test
    void no_password_shows_when_the_settings_are_printed() {
        assertThat(new GatewaySettings(List.of(alice), 60, Duration.ZERO, "here").toString())
                .contains("alice")
                .doesNotContain("sesame");
    }

    @Test
    void after_some_failures_an_address_has_to_pause() {
        for (int i = 0; i < FAILURES; i++) {
            assertThatThrownBy(() -> users.authenticate(from("192.0.2.1", "wrong")))
                    .isInstanceOf(BadCredentialsException.class);
        }
        int compared = encoder.compared.size();

        assertThatThrownBy(() -> users.authenticate(from("192.0.2.1", "sesame")))
                .isInstanceOfSatisfying(
                        LoginRefused.class,
                        refused -> {
                            assertThat(refused.status()).isEqualTo(429);
                            assertThat(Integer.parseInt(refused.retryAfter())).isBetween(1, 3600);
                        });
        assertThat(encoder.compared).hasSize(compared);
        users.authenticate(from("192.0.2.2", "sesame"));
    }

    @Test
    void failures_do_not_stop_who_is_known_at_the_same_address() {
        users.authenticate(from("192.0.2.1", "sesame"));
        for (int i = 0; i < FAILURES; i++) {
            assertThatThrownBy(() -> users.authenticate(from("192.0.2.1", "wrong")))
                    .isInstanceOf(BadCredentialsException.class);
        }

        users.authenticate(from("192.0.2.1", "sesame"));
    }

    @Test
    void only_so_many_passwords_are_hashed_at_once() {
        AtomicReference<Throwable> refused = new AtomicReference<>();
        encoder.meanwhile =
                () -> {
                    encoder.meanwhile = () -> {};
                    Thread other =
                            Thread.ofVirtual()
                                    .start(
                                            () ->
                                                    refused.set(
                                                            catchThrowable(
                                                                    () ->
                                                                            login(
                                                                                    "alice",
                                                                                    "sesame"))));
                    assertThatCode(other::join).doesNotThrowAnyException();
                };
        login("alice", "sesame");

        assertThat(refused.get())
                .isInstanceOfSatisfying(
                        LoginRefused.class, busy -> assertThat(busy.status()).isEqualTo(503));
        login("alice", "sesame");
    }

    private BasicUsers basic(GatewaySettings.User... all) {
        return new BasicUsers(
                List.of(all),
                encoder,
                new FailedLogins(
                        new LimitSettings.Logins(
                                FAILURES, Duration.ofHours(1), Duration.ofHours(1), 1)),
                1);
    }

    private static Authentication from(String address, String password) {
        UsernamePasswordAuthenticationToken claim =
                UsernamePasswordAuthenticationToken.unauthenticated("alice", password);
        claim.setDetails(new WebAuthenticationDetails(address, null));
        return claim;
    }

    private Authentication login(String name, String password) {
        return users.authenticate(claim(name, password));
    }

    private static Authentication claim(String name, String password) {
        return UsernamePasswordAuthenticationToken.unauthenticated(name, password);
    }

    private static final class CountingEncoder implements PasswordEncoder {

        private final List<String> compared = new ArrayList<>();
        private Runnable meanwhile = () -> {};

        @Override
        public String encode(@Nullable CharSequence password) {
            return "encoded:" + password;
        }

        @Override
        public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
            compared.add(String.valueOf(encoded));
            meanwhile.run();
            return Objects.equals(encoded, encode(password));
        }
    }
}
