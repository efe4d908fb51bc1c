package org.leasehold.gateway.api.operation;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.gateway.api.http.FullPageQuery;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.operation.DriftResponses.DriftFound;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.Drift;
import org.leasehold.readmodel.operation.Drift.Difference;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
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
            @NotNull @Valid FullPageQuery paging, HttpServletRequest request) {
        Page<Difference> page = DriftPages.page(drift.compare(), paging.marker(), paging.limit());
        return NextPageLink.response(request, DriftFound.of(page), page.next());
    }
}
