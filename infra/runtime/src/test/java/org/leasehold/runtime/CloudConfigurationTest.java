package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.env.MockEnvironment;

class CloudConfigurationTest {

    private final MockEnvironment environment = new MockEnvironment();

    @Test
    void leases_of_deleted_projects_are_not_deleted_without_keystone() {
        environment.setProperty("leasehold.saga.of-deleted-projects", "cancel");

        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> new CloudConfiguration(environment))
                .withMessage(
                        "leasehold.saga.of-deleted-projects=cancel needs"
                                + " leasehold.authentication.method=keystone");
    }

    @ParameterizedTest
    @CsvSource({"keep, basic", "keep, keystone", "cancel, keystone", "CANCEL, Keystone"})
    void the_other_settings_are_accepted(String projects, String method) {
        environment.setProperty("leasehold.saga.of-deleted-projects", projects);
        environment.setProperty("leasehold.authentication.method", method);

        assertThatCode(() -> new CloudConfiguration(environment)).doesNotThrowAnyException();
    }
}
