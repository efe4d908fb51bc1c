package org.leasehold.publishing.notification;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ScheduledEventView;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A notification, byte by byte, as a listener of oslo.messaging receives it. */
class OsloEnvelopeTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final LeaseView lease =
            ScriptedLeases.lease(
                    LeaseStatus.PENDING,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE);
    private final Entry event = new ScriptedLeases().happens("LeaseRequested", "req-1", lease);
    private final OsloEnvelope envelope =
            new OsloEnvelope("blazar.lease", OsloEnvelopeTest::fields);

    /** Returns the fields that matter here, as the API shows them. */
    static Map<String, @Nullable Object> fields(LeaseView lease) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", lease.id().toString());
        fields.put("name", lease.name());
        fields.put("trust_id", null);
        fields.put("reservations", List.of());
        return fields;
    }

    @Test
    void the_message_is_json_text_in_an_oslo_envelope() {
        JsonNode sent =
                JSON.readTree(
                        envelope.wrap(event, new Notification(NotificationType.CREATE, lease)));

        assertThat(sent.propertyNames()).containsExactlyInAnyOrder("oslo.version", "oslo.message");
        assertThat(sent.path("oslo.version").asString()).isEqualTo("2.0");
        String id = OsloEnvelope.id(event, NotificationType.CREATE).toString();
        assertThat(JSON.readTree(sent.path("oslo.message").stringValue()))
                .isEqualTo(
                        JSON.readTree(
                                """
                                {
                                  "message_id": "%s",
                                  "publisher_id": "blazar.lease",
                                  "event_type": "lease.create",
                                  "priority": "INFO",
                                  "payload": {
                                    "lease_id": "5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10",
                                    "name": "nightly-build",
                                    "trust_id": null,
                                    "reservations": []
                                  },
                                  "timestamp": "2026-11-21 00:33:09.000123",
                                  "_unique_id": "%s",
                                  "_context_user_id": "u1",
                                  "_context_project_id": "p1",
                                  "_context_request_id": "req-1"
                                }
                                """
                                        .formatted(id, id.replace("-", ""))));
    }

    @Test
    void the_id_depends_on_the_event_and_the_notification_type() {
        Entry other = new ScriptedLeases().happens("LeaseRequested", "req-1", lease);

        assertThat(OsloEnvelope.id(event, NotificationType.UPDATE))
                .isEqualTo(OsloEnvelope.id(other, NotificationType.UPDATE));
        assertThat(OsloEnvelope.id(event, NotificationType.UPDATE))
                .isNotEqualTo(OsloEnvelope.id(event, NotificationType.BEFORE_END_STOP));
        ScriptedLeases life = new ScriptedLeases();
        life.happens("LeaseRequested", lease);
        assertThat(
                        OsloEnvelope.id(
                                life.happens("LeaseRescheduled", lease), NotificationType.UPDATE))
                .isNotEqualTo(OsloEnvelope.id(event, NotificationType.UPDATE));
    }
}
