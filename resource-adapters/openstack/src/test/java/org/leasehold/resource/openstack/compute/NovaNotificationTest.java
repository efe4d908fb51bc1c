package org.leasehold.resource.openstack.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.core.JacksonException;

class NovaNotificationTest {

    @Test
    void the_parser_reads_the_event_type_from_the_message_in_the_envelope() {
        byte[] body =
                """
                {"oslo.version": "2.0",
                 "oslo.message": "{\\"message_id\\": \\"c9\\", \\"publisher_id\\": \\"nova-api:api\\",
                   \\"event_type\\": \\"service.update\\", \\"priority\\": \\"INFO\\",
                   \\"payload\\": {\\"nova_object.name\\": \\"ServiceStatusPayload\\",
                     \\"nova_object.data\\": {\\"host\\": \\"compute-1\\", \\"disabled\\": true}}}"}
                """
                        .replaceAll("\\s+", " ")
                        .getBytes(UTF_8);

        assertThat(NovaNotification.parse(body)).isEqualTo(new NovaNotification("service.update"));
    }

    @ParameterizedTest
    @CsvSource({
        "service.create, true",
        "service.update, true",
        "service.delete, true",
        "instance.update, false",
        "service, false",
        "'', false"
    })
    void the_event_type_identifies_service_notifications(String eventType, boolean isOfService) {
        assertThat(new NovaNotification(eventType).isServiceChange()).isEqualTo(isOfService);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not JSON",
                "[]",
                "{}",
                "{\"oslo.message\": null}",
                "{\"oslo.message\": {\"event_type\": \"service.update\"}}",
                "{\"oslo.message\": \"\"}",
                "{\"oslo.message\": \"not JSON\"}",
                "{\"oslo.message\": \"{}\"}",
                "{\"oslo.message\": \"{\\\"event_type\\\": []}\"}"
            })
    void a_malformed_message_fails_to_parse(String body) {
        assertThatExceptionOfType(JacksonException.class)
                .isThrownBy(() -> NovaNotification.parse(body.getBytes(UTF_8)));
    }
}
