package org.leasehold.gateway.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.gateway.GatewaySettings;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.crypto.password.PasswordEncoder;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

class BasicUsersTest {

    private final CountingEncoder encoder = new CountingEncoder();
    private final GatewaySettings.User alice =
            new GatewaySettings.User(
                    "alice", "encoded:sesame", "u1", "p1", "demo", Set.of("member", "biller"));
    private final BasicUsers users = new BasicUsers(List.of(alice), encoder);

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
        BasicUsers both = new BasicUsers(List.of(alice, bob), encoder);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> both.authenticate(claim("mallory", "x")))
                    .isInstanceOf(BadCredentialsException.class);
        }
        assertThat(Set.copyOf(encoder.compared)).hasSize(1);
    }

    @Test
    void without_users_nobody_logs_in() {
        BasicUsers none = new BasicUsers(List.of(), encoder);
        assertThatThrownBy(() -> none.authenticate(claim("mallory", "x")))
                .isInstanceOf(BadCredentialsException.class);
    }

    @Test
    void two_users_of_one_name_are_a_mistake_in_the_configuration() {
        assertThatThrownBy(() -> new BasicUsers(List.of(alice, alice), encoder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("alice");
    }

    @Test
    void no_password_shows_when_the_settings_are_printed() {
        assertThat(new GatewaySettings(List.of(alice), 60, "here").toString())
                .contains("alice")
                .doesNotContain("sesame");
    }

    private Authentication login(String name, String password) {
        return users.authenticate(claim(name, password));
    }

    private static Authentication claim(String name, String password) {
        return UsernamePasswordAuthenticationToken.unauthenticated(name, password);
    }

    private static final class CountingEncoder implements PasswordEncoder {

        private final List<String> compared = new ArrayList<>();

        @Override
        public String encode(@Nullable CharSequence password) {
            return "encoded:" + password;
        }

        @Override
        public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
            compared.add(String.valueOf(encoded));
            return Objects.equals(encoded, encode(password));
        }
    }
}
