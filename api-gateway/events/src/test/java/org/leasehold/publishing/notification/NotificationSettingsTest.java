package org.leasehold.publishing.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotificationSettingsTest {

    @Test
    void no_setting_is_required_while_notifications_are_off() {
        assertThat(settings(null, null, null, "openstack").hosts()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rabbit", "rabbit:5672", "10.0.0.1:5672, rabbit-2", "[::1]:5672"})
    void hosts_may_have_ports(String hosts) {
        assertThat(settings(hosts, "leasehold", "secret", "openstack").hosts()).isEqualTo(hosts);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ",",
                "rabbit:amqp",
                "amqp://leasehold:secret@rabbit:5672/",
                "rabbit://leasehold:secret@[::1]:5672",
                "leasehold:secret@rabbit:5672"
            })
    void an_invalid_host_is_reported_without_the_password(String hosts) {
        assertThatThrownBy(() -> settings(hosts, "leasehold", "secret", "openstack"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("leasehold.notifications.hosts")
                .hasMessageNotContaining("secret");
    }

    @Test
    void a_missing_or_invalid_setting_is_named() {
        assertThatThrownBy(() -> settings("rabbit", null, "secret", "openstack"))
                .hasMessage("leasehold.notifications.user is missing");
        assertThatThrownBy(() -> settings("rabbit", "leasehold", null, "openstack"))
                .hasMessage("leasehold.notifications.password is missing");
        assertThatThrownBy(() -> settings("rabbit", "leasehold", "secret", "two words"))
                .hasMessageStartingWith("leasehold.notifications.exchange");
    }

    @Test
    void the_password_is_not_shown() {
        assertThat(settings("rabbit", "leasehold", "secret", "openstack").toString())
                .doesNotContain("secret");
    }

    private static NotificationSettings settings(
            @Nullable String hosts,
            @Nullable String user,
            @Nullable String password,
            String exchange) {
        return new NotificationSettings(
                hosts, user, password, "/", false, exchange, "notifications", "blazar.lease", true);
    }
}
