package org.leasehold.resource.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.resource.openstack.CloudSettings.Facing;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

class CloudSettingsTest {

    private static final Map<String, String> ENOUGH =
            Map.of(
                    "auth-url", "https://cloud:5000/v3",
                    "user", "leasehold",
                    "password", "not for the log",
                    "project", "service");

    @Test
    void address_user_password_and_project_are_sufficient() {
        CloudSettings settings = CloudSettings.of(ENOUGH);

        assertThat(settings)
                .isEqualTo(
                        new CloudSettings(
                                URI.create("https://cloud:5000/v3"),
                                "leasehold",
                                "not for the log",
                                "service",
                                "Default",
                                "Default",
                                null,
                                Facing.PUBLIC,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(60),
                                16,
                                null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"notifications.url", "NOTIFICATIONS_URL"})
    void the_notification_address_is_read_from_the_settings(String name) {
        assertThat(with(name, "amqp://nova:secret@cloud/").notifications())
                .isEqualTo(URI.create("amqp://nova:secret@cloud/"));
    }

    @Test
    void the_error_for_an_invalid_notification_address_hides_the_password() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with("notifications.url", "amqp://nova:not for the log@cloud/"))
                .withMessageContaining("notifications.url")
                .withMessageNotContaining("not for the log")
                .withNoCause();
    }

    @Test
    void the_text_of_the_settings_contains_no_password() {
        assertThat(with("notifications.url", "amqp://nova:secret@cloud/").toString())
                .contains("leasehold")
                .doesNotContain("not for the log", "secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://cloud:5000", "https://cloud:5000/", "https://cloud:5000/v3/"})
    void the_address_of_keystone_needs_no_version(String url) {
        assertThat(with("auth-url", url).authUrl()).isEqualTo(URI.create("https://cloud:5000/v3"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"call-timeout", "calltimeout", "call.timeout", "CALL_TIMEOUT"})
    void a_setting_name_may_have_the_form_of_an_environment_variable(String name) {
        assertThat(with(name, "1500ms").callTimeout()).isEqualTo(Duration.ofMillis(1500));
    }

    @ParameterizedTest
    @CsvSource({
        "auth-url, cloud:5000",
        "auth-url, file:///etc/passwd",
        "auth-url, not an address",
        "user, ' '",
        "interface, private",
        "connect-timeout, soon",
        "call-timeout, 0s",
        "call-timeout, PT-1S",
        "most-calls, 0",
        "most-calls, many",
        "passwort, secret"
    })
    void a_wrong_setting_is_named(String name, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(name, value))
                .withMessageContaining(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auth-url", "user", "password", "project"})
    void a_missing_setting_is_named(String name) {
        Map<String, String> rest = new HashMap<>(ENOUGH);
        rest.remove(name);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> CloudSettings.of(rest))
                .withMessage("the setting " + name + " is missing");
    }

    private static CloudSettings with(String name, String value) {
        Map<String, String> settings = new HashMap<>(ENOUGH);
        settings.put(name, value);
        return CloudSettings.of(settings);
    }
}
