package org.leasehold.publishing.notification;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.leasehold.query.Feed.Entry;
import org.leasehold.query.LeaseStatus;
import org.leasehold.query.LeaseView;
import org.leasehold.query.ScheduledEventView;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A notification, byte by byte, as a listener of oslo.messaging receives it. */
class EnvelopeTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final LeaseView lease =
            Lives.lease(
                    LeaseStatus.PENDING,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE);
    private final Entry event = new Lives().happens("LeaseRequested", "req-1", lease);
    private final Envelope envelope = new Envelope("blazar.lease", EnvelopeTest::fields);

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
    void the_message_is_text_in_an_envelope() {
        JsonNode sent = JSON.readTree(envelope.of(event, new Notification(Notice.CREATE, lease)));

        assertThat(sent.propertyNames()).containsExactlyInAnyOrder("oslo.version", "oslo.message");
        assertThat(sent.path("oslo.version").asString()).isEqualTo("2.0");
        String id = Envelope.id(event, Notice.CREATE).toString();
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
    void the_same_has_the_same_id_and_nothing_else_has() {
        Entry other = new Lives().happens("LeaseRequested", "req-1", lease);

        assertThat(Envelope.id(event, Notice.UPDATE)).isEqualTo(Envelope.id(other, Notice.UPDATE));
        assertThat(Envelope.id(event, Notice.UPDATE))
                .isNotEqualTo(Envelope.id(event, Notice.BEFORE_END_STOP));
        Lives life = new Lives();
        life.happens("LeaseRequested", lease);
        assertThat(Envelope.id(life.happens("LeaseRescheduled", lease), Notice.UPDATE))
                .isNotEqualTo(Envelope.id(event, Notice.UPDATE));
    }
}
