package org.leasehold.gateway.api.audit;

import org.leasehold.gateway.api.audit.AuditResponses.AuditEvent;
import org.leasehold.gateway.api.export.Csv;

import tools.jackson.databind.json.JsonMapper;

import java.util.stream.Stream;

/** Events as comma-separated values. */
final class AuditCsv {

    /** The first line, with its line break. */
    static final String HEADER =
            Csv.line(
                    Stream.of(
                            "position",
                            "event_id",
                            "recorded_at",
                            "decided_at",
                            "type",
                            "subject_type",
                            "subject",
                            "project_id",
                            "user_id",
                            "user_project_id",
                            "roles",
                            "authentication",
                            "request_id",
                            "causation",
                            "reason",
                            "details",
                            "address",
                            "agent",
                            "lease_name",
                            "resource_name",
                            "resource_zone"));

    private final JsonMapper json;

    AuditCsv(JsonMapper json) {
        this.json = json;
    }

    /** Returns a line with its line break. */
    String line(AuditEvent event) {
        return Csv.line(
                Stream.of(
                        Long.toString(event.position()),
                        event.eventId().toString(),
                        event.recordedAt().toString(),
                        event.decidedAt().toString(),
                        event.type(),
                        event.subjectType(),
                        event.subject(),
                        event.projectId(),
                        event.userId(),
                        event.userProjectId(),
                        String.join(" ", event.roles()),
                        event.authentication(),
                        event.requestId(),
                        event.causation(),
                        event.reason(),
                        json.writeValueAsString(event.details()),
                        event.address(),
                        event.agent(),
                        event.leaseName(),
                        event.resourceName(),
                        event.resourceZone()));
    }
}
