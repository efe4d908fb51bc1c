package org.leasehold.gateway.api.usage;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.export.DownloadSender;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.api.query.AsOfResolver;
import org.leasehold.gateway.api.query.AsOfResolver.Known;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.PropertyRedaction;
import org.leasehold.readmodel.calendar.BookingCalendar;
import org.leasehold.readmodel.usage.Charges;
import org.leasehold.readmodel.usage.Charges.ListCharges;
import org.leasehold.readmodel.usage.FocusExport;
import org.leasehold.wire.event.EventRedaction;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.time.Instant;

/** The export of charges, for comparisons of the costs of clouds. */
@RestController
@Tag(name = "charges")
class FocusExportRoutes {

    static final String CSV = "text/csv";

    /** The number of leases that the export reads at a time. */
    private static final int PAGE_SIZE = 100;

    private final Charges charges;
    private final FocusExport export;
    private final EventRedaction redaction;
    private final PropertyRedaction propertyRedaction;
    private final AsOfResolver asOfResolver;
    private final DownloadSender downloadSender = new DownloadSender("exports are made");

    FocusExportRoutes(
            Charges charges,
            FocusExport export,
            EventRedaction redaction,
            PropertyRedaction hidden,
            AsOfResolver past) {
        this.charges = charges;
        this.export = export;
        this.redaction = redaction;
        this.propertyRedaction = hidden;
        this.asOfResolver = past;
    }

    @Operation(
            operationId = "exportCharges",
            summary = "Export charges as a FOCUS 1.2 table",
            description =
                    "The columns of the FinOps Open Cost and Usage"
                            + " Specification, and x_LeaseId: one row for each line"
                            + " of the charges, for the same callers. The sum of"
                            + " BilledCost by lease and currency is the lease's"
                            + " total. An apostrophe precedes text that a spreadsheet"
                            + " would read as a formula.")
    @AnsweredFrom(BookingCalendar.READ_MODEL)
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content = @Content(mediaType = CSV, schema = @Schema(type = "string")))
    // No `produces`: a client that accepts only JSON still gets the export.
    @LongRead
    @GetMapping("/api/charges/focus")
    void export(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "project", required = false) @Size(max = 255)
                    @Nullable String project,
            @RequestParam(name = "from", required = false) @Nullable Instant from,
            @RequestParam(name = "to", required = false) @Nullable Instant to,
            @RequestParam(name = "as_of", required = false) @Nullable Instant asOf,
            HttpServletResponse response)
            throws IOException {
        Known known = asOfResolver.resolve(asOf, response, BookingCalendar.READ_MODEL);
        QueryWindow window =
                QueryWindow.ofOrDefaultMonth(from, to, known.now(), Charges.MAX_WINDOW);
        ListCharges question =
                ChargeRoutes.canSeeProject(caller, project)
                        ? ChargeRoutes.toQuery(caller, project, window, known, null, PAGE_SIZE)
                        : null;
        ChargeRoutes.requirePricePlans(charges);
        downloadSender.send(
                caller,
                response,
                CSV + ";charset=UTF-8",
                rows ->
                        export.write(
                                question,
                                redaction.installation(),
                                propertyRedaction.forCharges(caller),
                                rows));
    }
}
