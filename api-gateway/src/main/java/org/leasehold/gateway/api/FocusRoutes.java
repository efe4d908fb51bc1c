package org.leasehold.gateway.api;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.AsOf.Known;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.HiddenProperties;
import org.leasehold.query.Calendar;
import org.leasehold.query.Charges;
import org.leasehold.query.Charges.ListCharges;
import org.leasehold.query.FocusExport;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.io.IOException;
import java.time.Instant;

/** The export of charges, for comparisons of the costs of clouds. */
@RestController
@Tag(name = "charges")
class FocusRoutes {

    static final String CSV = "text/csv";

    /** The number of leases that the export reads at a time. */
    private static final int PAGE = 100;

    private final Charges charges;
    private final FocusExport export;
    private final EventTelling telling;
    private final HiddenProperties hidden;
    private final AsOf past;
    private final Download download = new Download("exports are made");

    FocusRoutes(
            Charges charges,
            FocusExport export,
            EventTelling telling,
            HiddenProperties hidden,
            AsOf past) {
        this.charges = charges;
        this.export = export;
        this.telling = telling;
        this.hidden = hidden;
        this.past = past;
    }

    @Operation(
            operationId = "exportCharges",
            summary = "Exports what leases cost as a table of FOCUS 1.2",
            description =
                    "The FinOps Open Cost and Usage Specification's columns, and x_LeaseId: a row"
                        + " for each line of the charges, told to whom those are told. The sum of"
                        + " BilledCost by lease and currency is its total there. Text with which a"
                        + " spreadsheet would begin a formula has an apostrophe before it.")
    @StandsOn(Calendar.STANDS_ON)
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
        Known known = past.known(asOf, response, Calendar.STANDS_ON);
        AskedWindow window = AskedWindow.orMonth(from, to, known.now(), Charges.LONGEST);
        ListCharges question =
                ChargeRoutes.mayBeTold(caller, project)
                        ? ChargeRoutes.question(caller, project, window, known, null, PAGE)
                        : null;
        ChargeRoutes.requirePlans(charges);
        download.send(
                caller,
                response,
                CSV + ";charset=UTF-8",
                rows ->
                        export.write(
                                question,
                                telling.installation(),
                                hidden.ofChargesAsSeenBy(caller),
                                rows));
    }
}
