package org.leasehold.gateway.api.operation;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.gateway.api.http.FullPageQuery;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.operation.DefaultLeaseResponses.DefaultLeaseList;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.DefaultLeases;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Routes for operators about default leases. */
@RestController
@Tag(name = "operations")
class DefaultLeaseRoutes {

    private final DefaultLeases defaultLeases;

    DefaultLeaseRoutes(DefaultLeases defaultLeases) {
        this.defaultLeases = defaultLeases;
    }

    @Operation(
            operationId = "listDefaultLeases",
            summary = "List servers and their default leases",
            description =
                    "By server. If default leases are off, this is a dry run: it shows what would"
                            + " happen. Takes as long as the cloud takes to answer. Changes"
                            + " nothing. Each page queries the cloud again. The Link header with"
                            + " rel=next leads to the next page.")
    @GetMapping("/api/operations/default-leases")
    ResponseEntity<DefaultLeaseList> list(
            @NotNull @Valid FullPageQuery paging, HttpServletRequest request) {
        DefaultLeases.Report report = defaultLeases.report();
        Page<DefaultLeases.Server> page =
                Page.ofAll(
                        report.servers(),
                        DefaultLeases.Server::id,
                        paging.marker(),
                        paging.limit());
        return NextPageLink.response(request, DefaultLeaseList.of(report, page), page.next());
    }
}
