package org.leasehold.gateway.api.operation;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageSize;
import org.leasehold.gateway.api.operation.DriftResponses.DriftFound;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.Drift.Difference;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Routes for operators about drift of the cloud. */
@RestController
@Tag(name = "operations")
class DriftRoutes {

    private final Drift drift;

    DriftRoutes(Drift drift) {
        this.drift = drift;
    }

    @Operation(
            operationId = "findDrift",
            summary = "Compare the cloud with the leases",
            description =
                    "Takes as long as the cloud takes to answer. Changes nothing. A page has at"
                            + " most limit differences in all lists together, and each page"
                            + " compares again. The Link header with rel=next leads to the next"
                            + " page.")
    @GetMapping("/api/operations/drift")
    ResponseEntity<DriftFound> find(
            @RequestParam(name = "marker", required = false) @Nullable String marker,
            @RequestParam(name = "limit", defaultValue = "" + PageSize.MAX)
                    @Min(1)
                    @Max(PageSize.MAX)
                    int limit,
            HttpServletRequest request) {
        Page<Difference> page = DriftPages.page(drift.compare(), marker, limit);
        return NextPageLink.response(request, DriftFound.of(page), page.next());
    }
}
