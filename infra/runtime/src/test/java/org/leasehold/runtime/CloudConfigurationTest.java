package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.leasehold.runtime.setting.InvalidSettingException;
import org.springframework.mock.env.MockEnvironment;

class CloudConfigurationTest {

    private final MockEnvironment environment = new MockEnvironment();

    @Test
    void canceling_leases_of_deleted_projects_requires_keystone() {
        environment.setProperty("leasehold.saga.of-deleted-projects", "cancel");

        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> new CloudConfiguration(environment))
                .withMessage(
                        "leasehold.saga.of-deleted-projects=cancel needs"
                                + " leasehold.authentication.method=keystone");
    }

    @ParameterizedTest
    @CsvSource({"keep, basic", "keep, keystone", "cancel, keystone", "CANCEL, Keystone"})
    void valid_settings_for_deleted_projects_are_accepted(String projects, String method) {
        environment.setProperty("leasehold.saga.of-deleted-projects", projects);
        environment.setProperty("leasehold.authentication.method", method);

        assertThatCode(() -> new CloudConfiguration(environment)).doesNotThrowAnyException();
    }
}
