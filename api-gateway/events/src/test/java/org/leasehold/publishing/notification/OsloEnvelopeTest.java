package org.leasehold.publishing.notification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.publishing.DocumentsFixture;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ScheduledEventView;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
            new OsloEnvelope("blazar.lease", DocumentsFixture.blazarLeases());

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
                                    "user_id": "u1",
                                    "project_id": "p1",
                                    "trust_id": null,
                                    "start_date": "2026-11-21T00:33:00.000000",
                                    "end_date": "2026-11-21T02:33:00.000000",
                                    "status": "PENDING",
                                    "degraded": false,
                                    "created_at": "2026-11-21 00:33:09",
                                    "updated_at": null,
                                    "reservations": [],
                                    "events": [
                                      {
                                        "id": "d3ca47e3-d136-3250-9c05-04acd3d9b2a9",
                                        "lease_id": "5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10",
                                        "event_type": "start_lease",
                                        "time": "2026-11-21T00:33:00.000000",
                                        "status": "UNDONE",
                                        "created_at": "2026-11-21 00:33:09",
                                        "updated_at": null
                                      },
                                      {
                                        "id": "a823dd86-1fe5-3739-a7cb-b909951da6fa",
                                        "lease_id": "5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10",
                                        "event_type": "before_end_lease",
                                        "time": "2026-11-21T01:33:00.000000",
                                        "status": "UNDONE",
                                        "created_at": "2026-11-21 00:33:09",
                                        "updated_at": null
                                      },
                                      {
                                        "id": "e80feef2-9cf2-31d5-b3a4-403ac23e118a",
                                        "lease_id": "5c1f5a7e-0f5d-4a52-8f0e-3f0d1c6a9b10",
                                        "event_type": "end_lease",
                                        "time": "2026-11-21T02:33:00.000000",
                                        "status": "UNDONE",
                                        "created_at": "2026-11-21 00:33:09",
                                        "updated_at": null
                                      }
                                    ]
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
