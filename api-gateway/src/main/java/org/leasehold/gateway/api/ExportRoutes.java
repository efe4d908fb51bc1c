package org.leasehold.gateway.api;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.security.Caller;
import org.leasehold.query.AuditExport;
import org.leasehold.query.AuditExport.Discretion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;

/** Everything that happened, sealed and signed, for those who check it elsewhere. */
@RestController
@Tag(name = "audit")
class ExportRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(ExportRoutes.class);

    static final String ND_JSON = "application/x-ndjson";

    /** Each reads the whole history; commands must not notice. */
    static final int AT_ONCE = 2;

    private final AuditExport export;
    private final EventTelling telling;
    private final Semaphore places = new Semaphore(AT_ONCE);

    ExportRoutes(AuditExport export, EventTelling telling) {
        this.export = export;
        this.telling = telling;
    }

    @Operation(
            operationId = "exportEvents",
            summary = "Exports every event with its seal, up to a head",
            description =
                    "A line of JSON each: what the export is, the keys, the events in their order,"
                        + " and each head after the last event that it speaks of. An event that the"
                        + " feed does not tell the caller unchanged is withheld; its seal is there."
                        + " An export that does not end with the head that its first line names was"
                        + " cut off.")
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content = @Content(mediaType = ND_JSON, schema = @Schema(type = "string")))
    // No `produces`: who accepts JSON only still gets the export.
    @GetMapping("/api/audit/export")
    void export(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "until", required = false) @Min(1) @Nullable Long until,
            HttpServletResponse response)
            throws IOException {
        long last = export.lastHead();
        if (!places.tryAcquire()) {
            throw new ProblemException(
                    Problem.of(
                            503,
                            "busy",
                            "At most %d exports are made on a node at once; try again later."
                                    .formatted(AT_ONCE)));
        }
        try {
            send(
                    until == null ? last : Math.min(until, last),
                    telling.discretionTowards(caller),
                    response);
        } finally {
            places.release();
        }
    }

    /** The thread of the request does it: it ends when whoever listens hangs up, or never reads. */
    private void send(long head, Discretion discretion, HttpServletResponse response)
            throws IOException {
        response.setContentType(ND_JSON);
        Writer lines =
                new BufferedWriter(
                        new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8));
        try {
            export.write(
                    head, telling.source(), discretion, line -> lines.append(line).append('\n'));
            lines.flush();
        } catch (RuntimeException e) {
            if (!response.isCommitted()) {
                response.resetBuffer();
                throw e;
            }
            LOG.atWarn().setCause(e).log("An export broke off");
            // Not as a problem, which would be one more line: the connection is cut instead.
            throw new IOException("the export broke off");
        }
    }
}
