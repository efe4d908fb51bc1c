package org.leasehold.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import java.util.Map;

class SagaSettingsTest {

    @Test
    void every_setting_has_a_default() {
        assertThat(bound(Map.of())).isEqualTo(SagaSettings.defaults());
    }

    @Test
    void an_invalid_value_is_rejected_with_the_name_of_the_setting() {
        assertThatThrownBy(() -> bound(Map.of("leasehold.saga.timer-threads", "0")))
                .hasRootCauseMessage("leasehold.saga.timer-threads is 0, but must be 1 to 256");
        assertThatThrownBy(() -> bound(Map.of("leasehold.saga.actions-per-plugin", "33")))
                .hasRootCauseMessage(
                        "leasehold.saga.actions-per-plugin is 33, but must be 1 to 32");
    }

    private static SagaSettings bound(Map<String, String> values) {
        return new Binder(new MapConfigurationPropertySource(values))
                .bindOrCreate("leasehold.saga", SagaSettings.class);
    }
}
