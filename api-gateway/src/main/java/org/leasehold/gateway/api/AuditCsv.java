package org.leasehold.gateway.api;

import static java.util.stream.Collectors.joining;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.AuditAnswers.AuditEvent;
import org.leasehold.query.AuditTrail;

import tools.jackson.databind.json.JsonMapper;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Events as lines of comma-separated values (RFC 4180). What a spreadsheet would take for a formula
 * has an apostrophe in front, as words of users are among it.
 */
final class AuditCsv {

    private static final Pattern FORMULA =
            Pattern.compile("[=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20].*", Pattern.DOTALL);
    private static final Pattern TO_BE_QUOTED = Pattern.compile("[\",\\r\\n]");

    /** The first line, with its end. */
    static final String HEADER =
            line(
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
                            "agent"));

    private final JsonMapper json;

    AuditCsv(JsonMapper json) {
        this.json = json;
    }

    /** A line with its end. */
    String line(AuditEvent event) {
        return line(
                Stream.of(
                        Long.toString(event.position()),
                        event.eventId().toString(),
                        event.recordedAt().toString(),
                        event.decidedAt().toString(),
                        event.type(),
                        event.subjectType(),
                        event.subject(),
                        event.projectId(),
                        text(event.userId()),
                        text(event.userProjectId()),
                        String.join(" ", event.roles()),
                        text(event.authentication()),
                        text(event.requestId()),
                        text(event.causation()),
                        text(event.reason()),
                        json.writeValueAsString(event.details()),
                        text(event.address()),
                        text(event.agent())));
    }

    private static String line(Stream<String> cells) {
        return cells.map(AuditCsv::cell).collect(joining(",", "", "\r\n"));
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    static String cell(String value) {
        String harmless =
                FORMULA.matcher(value).matches() && !value.equals(AuditTrail.NOBODYS)
                        ? "'" + value
                        : value;
        return TO_BE_QUOTED.matcher(harmless).find()
                ? "\"" + harmless.replace("\"", "\"\"") + "\""
                : harmless;
    }
}
