package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.audit.SealResponses.HeadPage;
import org.leasehold.gateway.api.audit.SealResponses.KeyList;
import org.leasehold.gateway.api.audit.SealResponses.SealKey;
import org.leasehold.gateway.api.http.FullPageQuery;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageSize;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.SignedHeads;
import org.leasehold.readmodel.audit.SignedHeads.SignedHead;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Routes for signed heads of the events: a copy elsewhere shows later whether they still hold. */
@RestController
@Tag(name = "audit")
class SealRoutes {

    private final SignedHeads signedHeads;

    SealRoutes(SignedHeads signedHeads) {
        this.signedHeads = signedHeads;
    }

    @Operation(
            operationId = "listHeads",
            summary = "List signed heads of the event log, oldest first",
            description =
                    "The engine signs a head for each day (UTC) on which"
                            + " it ran, soon after the day ends. The Link header with"
                            + " rel=next leads to the next page.")
    @GetMapping("/api/audit/heads")
    ResponseEntity<HeadPage> heads(
            @RequestParam(name = "marker", required = false) @Min(1) @Nullable Long marker,
            @Parameter(deprecated = true) @RequestParam(name = "after", defaultValue = "0") @Min(0)
                    long after,
            @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(PageSize.MAX)
                    int limit,
            HttpServletRequest request) {
        Page<SignedHead> page = signedHeads.heads(marker == null ? after : marker, limit);
        return NextPageLink.response(request, HeadPage.of(page), page.next());
    }

    @Operation(
            operationId = "listKeys",
            summary = "List keys that sign heads, oldest first",
            description =
                    "Public keys with the time from which each is used."
                            + " Copy them to a safe place to verify heads later. The"
                            + " Link header with rel=next leads to the next page.")
    @GetMapping("/api/audit/keys")
    ResponseEntity<KeyList> keys(@NotNull @Valid FullPageQuery paging, HttpServletRequest request) {
        Page<SealKey> page = signedHeads.keys(paging.marker(), paging.limit()).map(SealKey::of);
        return NextPageLink.response(request, page, KeyList::new);
    }
}
