package org.leasehold.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.GatewaySettings;
import org.leasehold.runtime.database.DatabaseSettings;
import org.leasehold.saga.SagaSettings;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import java.util.Map;

/** Tests the environment variables that are settings, in all the forms that Spring accepts. */
class UnknownSettingCheckTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LEASEHOLD_DATABASE_FOLDER",
                "LEASEHOLD_GATEWAY_USERS_0_NAME",
                "LEASEHOLD_GATEWAY_USERS_0_USERID",
                "LEASEHOLD_GATEWAY_USERS_0_USER_ID",
                "LEASEHOLD_GATEWAY_USERS_0_ROLES",
                "LEASEHOLD_GATEWAY_USERS_0_ROLES_1",
                "LEASEHOLD_GATEWAY_MINUTESBEFOREENDLEASE",
                "LEASEHOLD_GATEWAY_MINUTES_BEFORE_END_LEASE",
                "LEASEHOLD_SAGA_POLLING",
                "LEASEHOLD_PLUGINS_PARKING_FILE",
                "LEASEHOLDER"
            })
    void a_known_or_unrelated_variable_is_accepted(String variable) {
        assertThatCode(() -> check(variable)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LEASEHOLD_DATABASE",
                "LEASEHOLD_DATABASE_FOLDERS",
                "LEASEHOLD_GATEWAY_USERS_0_NMAE",
                "LEASEHOLD_SAGA_POLLING_INTERVAL",
                "LEASEHOLD_SAGAS_POLLING",
                "LEASEHOLD_PLUGINS"
            })
    void an_unknown_variable_is_reported_by_name(String variable) {
        assertThatThrownBy(() -> check(variable))
                .isInstanceOf(UnknownSettingCheck.UnknownSettings.class)
                .hasMessageContaining(
                        variable.toLowerCase(java.util.Locale.ROOT)
                                .replace("_0_", "[0].")
                                .replace('_', '.'));
    }

    @Test
    void the_error_omits_the_value_of_an_unknown_variable() {
        assertThatThrownBy(() -> check("LEASEHOLD_PASWORD"))
                .hasMessageContaining("leasehold.pasword")
                .hasMessageNotContaining("the value");
    }

    private static void check(String variable) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        for (Class<?> settings :
                new Class<?>[] {
                    DatabaseSettings.class, GatewaySettings.class, SagaSettings.class
                }) {
            beans.registerBeanDefinition(settings.getName(), new RootBeanDefinition(settings));
        }
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of(variable, "the value")));
        new UnknownSettingCheck(environment).postProcessBeanFactory(beans);
    }
}
