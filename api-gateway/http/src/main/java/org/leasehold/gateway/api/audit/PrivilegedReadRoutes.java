package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.leasehold.gateway.api.audit.PrivilegedReadResponses.PrivilegedReadLine;
import org.leasehold.gateway.api.audit.PrivilegedReadResponses.PrivilegedReadPage;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageQuery;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.PrivilegedReads;
import org.leasehold.readmodel.audit.PrivilegedReads.ListReads;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Routes for auditors about reads beyond a caller's project. */
@RestController
@Tag(name = "audit")
class PrivilegedReadRoutes {

    private final PrivilegedReads reads;

    PrivilegedReadRoutes(PrivilegedReads reads) {
        this.reads = reads;
    }

    @Operation(
            operationId = "listPrivilegedReads",
            summary = "List privileged reads, newest first",
            description =
                    "Reads and exports by callers who see more than their project: who read what,"
                            + " when, from where and with which filter. Equal ones within a minute"
                            + " are one entry with a count. The Link header with rel=next leads to"
                            + " the next page.")
    @LongRead
    @GetMapping("/api/audit/reads")
    ResponseEntity<PrivilegedReadPage> list(
            @NotNull @Valid PrivilegedReadQuery query,
            @NotNull @Valid PageQuery paging,
            HttpServletRequest request) {
        QueryWindow.requireOrdered(query.from(), query.to());
        Page<PrivilegedReadLine> page =
                reads.list(
                                new ListReads(
                                        query.user(),
                                        query.project(),
                                        query.action(),
                                        query.filter(),
                                        query.from(),
                                        query.to(),
                                        paging.marker(),
                                        paging.limit()))
                        .map(PrivilegedReadLine::of);
        return NextPageLink.response(request, page, PrivilegedReadPage::new);
    }
}
