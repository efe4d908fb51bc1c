package org.leasehold.gateway.security.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.GatewaySettings;
import org.leasehold.gateway.limits.FailedLoginLimiter;
import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
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

class BasicAuthenticationProviderTest {

    private static final int FAILURES = 7;

    private final CountingEncoder encoder = new CountingEncoder();
    private final GatewaySettings.User alice =
            new GatewaySettings.User(
                    "alice", "encoded:sesame", "u1", "p1", "demo", Set.of("member", "biller"));
    private final BasicAuthenticationProvider users = basic(alice);

    @Test
    void a_login_returns_the_configured_user_project_and_roles() {
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
    void a_correct_password_is_hashed_once() {
        for (int i = 0; i < 5; i++) {
            login("alice", "sesame");
        }
        assertThat(encoder.compared).hasSize(1);
    }

    @Test
    void a_wrong_password_is_rejected_after_a_correct_login() {
        assertThatThrownBy(() -> login("alice", "Sesame"))
                .isInstanceOf(BadCredentialsException.class);
        login("alice", "sesame");
        assertThatThrownBy(() -> login("alice", "Sesame"))
                .isInstanceOf(BadCredentialsException.class);
        login("alice", "sesame");
    }

    @Test
    void an_unknown_user_costs_one_password_comparison() {
        assertThatThrownBy(() -> login("mallory", "Sesame"))
                .isInstanceOf(BadCredentialsException.class);
        assertThat(encoder.compared).containsExactly("encoded:sesame");
    }

    @Test
    void an_unknown_user_is_rejected_with_a_valid_password() {
        assertThatThrownBy(() -> login("mallory", "sesame"))
                .isInstanceOf(BadCredentialsException.class);
    }

    @Test
    void an_unknown_name_is_always_compared_with_the_same_password() {
        GatewaySettings.User bob =
                new GatewaySettings.User("bob", "encoded:b", "u2", "p1", "demo", Set.of("member"));
        BasicAuthenticationProvider both = basic(alice, bob);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> both.authenticate(claim("mallory", "x")))
                    .isInstanceOf(BadCredentialsException.class);
        }
        assertThat(Set.copyOf(encoder.compared)).hasSize(1);
    }

    @Test
    void a_login_without_configured_users_is_rejected() {
        BasicAuthenticationProvider none = basic();
        assertThatThrownBy(() -> none.authenticate(claim("mallory", "x")))
                .isInstanceOf(BadCredentialsException.class);
    }

    @Test
    void two_users_with_one_name_are_a_configuration_error() {
        assertThatThrownBy(() -> basic(alice, alice))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("alice");
    }

    @Test
    void printed_settings_contain_no_password() {
        assertThat(
                        new GatewaySettings(
                                        List.of(alice),
                                        60,
                                        Duration.ZERO,
                                        "here",
                                        GatewaySettings.Blazar.CLOSED)
                                .toString())
                .contains("alice")
                .doesNotContain("sesame");
    }

    @Test
    void an_address_with_too_many_failed_logins_gets_429() {
        for (int i = 0; i < FAILURES; i++) {
            assertThatThrownBy(() -> users.authenticate(from("192.0.2.1", "wrong")))
                    .isInstanceOf(BadCredentialsException.class);
        }
        int compared = encoder.compared.size();

        assertThatThrownBy(() -> users.authenticate(from("192.0.2.1", "sesame")))
                .isInstanceOfSatisfying(
                        LoginLimitException.class,
                        refused -> {
                            assertThat(refused.status()).isEqualTo(429);
                            assertThat(Integer.parseInt(refused.retryAfter())).isBetween(1, 3600);
                        });
        assertThat(encoder.compared).hasSize(compared);
        users.authenticate(from("192.0.2.2", "sesame"));
    }

    @Test
    void known_and_unknown_names_pause_after_the_same_failures() {
        for (int i = 0; i < FAILURES; i++) {
            assertUnauthenticated("invented" + i);
        }
        for (int i = 0; i < FAILURES; i++) {
            assertUnauthenticated("alice");
            assertUnauthenticated("mallory");
        }
        int compared = encoder.compared.size();

        assertPaused("alice");
        assertPaused("mallory");
        assertThat(encoder.compared).hasSize(compared);
    }

    @Test
    void known_and_unknown_names_pause_at_an_address_with_many_names() {
        users.authenticate(from("192.0.2.1", "sesame"));
        for (int i = 0; i < 10 * FAILURES; i++) {
            assertUnauthenticated("invented" + i);
        }
        int compared = encoder.compared.size();

        assertPaused("alice");
        assertPaused("mallory");
        assertThat(encoder.compared).hasSize(compared);
        users.authenticate(from("192.0.2.1", "sesame"));
        assertThatThrownBy(() -> users.authenticate(from("192.0.2.2", "wrong")))
                .isInstanceOf(BadCredentialsException.class);
    }

    private void assertUnauthenticated(String name) {
        assertThatThrownBy(() -> users.authenticate(from("192.0.2.1", name, "wrong")))
                .isInstanceOf(BadCredentialsException.class);
    }

    private void assertPaused(String name) {
        assertThatThrownBy(() -> users.authenticate(from("192.0.2.1", name, "wrong")))
                .isInstanceOfSatisfying(
                        LoginLimitException.class,
                        refused -> {
                            assertThat(refused.status()).isEqualTo(429);
                            assertThat(refused)
                                    .hasMessage("Too many logins from your address have failed.");
                        });
    }

    @Test
    void a_known_user_logs_in_despite_failures_at_the_same_address() {
        users.authenticate(from("192.0.2.1", "sesame"));
        for (int i = 0; i < FAILURES; i++) {
            assertThatThrownBy(() -> users.authenticate(from("192.0.2.1", "wrong")))
                    .isInstanceOf(BadCredentialsException.class);
        }

        users.authenticate(from("192.0.2.1", "sesame"));
    }

    @Test
    void the_number_of_concurrent_password_hashes_is_limited() {
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
                        LoginLimitException.class,
                        busy -> assertThat(busy.status()).isEqualTo(503));
        login("alice", "sesame");
    }

    private BasicAuthenticationProvider basic(GatewaySettings.User... all) {
        return new BasicAuthenticationProvider(
                List.of(all),
                encoder,
                new FailedLoginLimiter(
                        new LimitSettings.Logins(
                                FAILURES, Duration.ofHours(1), Duration.ofHours(1), 1)),
                1);
    }

    private static Authentication from(String address, String password) {
        return from(address, "alice", password);
    }

    private static Authentication from(String address, String name, String password) {
        UsernamePasswordAuthenticationToken claim =
                UsernamePasswordAuthenticationToken.unauthenticated(name, password);
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
