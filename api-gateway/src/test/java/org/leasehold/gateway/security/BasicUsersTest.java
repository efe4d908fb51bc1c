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
        assertThat(encoder.matched).isEqualTo(1);
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
    void an_unknown_user_takes_as_much_work_as_a_wrong_password() {
        assertThatThrownBy(() -> login("mallory", "sesame"))
                .isInstanceOf(BadCredentialsException.class);
        assertThat(encoder.matched).isEqualTo(1);
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
        return users.authenticate(
                UsernamePasswordAuthenticationToken.unauthenticated(name, password));
    }

    private static final class CountingEncoder implements PasswordEncoder {

        private int matched;

        @Override
        public String encode(@Nullable CharSequence password) {
            return "encoded:" + password;
        }

        @Override
        public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
            matched++;
            return Objects.equals(encoded, encode(password));
        }
    }
}
