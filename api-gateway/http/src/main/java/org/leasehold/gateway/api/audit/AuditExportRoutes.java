package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.event.EventAccess;
import org.leasehold.gateway.api.export.DownloadSender;
import org.leasehold.gateway.api.export.StreamedResults;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.readmodel.audit.AuditExport;
import org.leasehold.readmodel.audit.AuditExport.Discretion;
import org.leasehold.wire.event.EventRedaction;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;

/** The export of all events, sealed and signed, for checks elsewhere. */
@RestController
@Tag(name = "audit")
class AuditExportRoutes {

    private final AuditExport export;
    private final EventRedaction redaction;
    private final DownloadSender downloadSender = new DownloadSender("exports are made");

    AuditExportRoutes(AuditExport export, EventRedaction redaction) {
        this.export = export;
        this.redaction = redaction;
    }

    @Operation(
            operationId = "exportEvents",
            summary = "Export all events with their seals, up to a head",
            description =
                    "One line of JSON each: the header of the export, the"
                            + " keys, the events in order, and each head after the"
                            + " last event that it covers. If the caller may not see"
                            + " an event unchanged, the export has only its seal. An"
                            + " export is complete if it ends with the head that its"
                            + " first line names.")
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content =
                    @Content(
                            mediaType = StreamedResults.ND_JSON,
                            schema = @Schema(type = "string")))
    // No `produces`: a client that accepts only JSON still gets the export.
    @LongRead
    @GetMapping("/api/audit/export")
    void export(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "until", required = false) @Min(1) @Nullable Long until,
            HttpServletResponse response)
            throws IOException {
        long last = export.lastHead();
        long head = until == null ? last : Math.min(until, last);
        Discretion discretion = EventRedaction.discretion(EventAccess.redactor(redaction, caller));
        downloadSender.send(
                caller,
                response,
                StreamedResults.ND_JSON,
                lines ->
                        export.write(
                                head,
                                redaction.installation(),
                                discretion,
                                line -> lines.append(line).append('\n')));
    }
}
