package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.leasehold.gateway.api.audit.SealResponses.HeadPage;
import org.leasehold.gateway.api.audit.SealResponses.KeyList;
import org.leasehold.gateway.api.audit.SealResponses.SealHead;
import org.leasehold.gateway.api.audit.SealResponses.SealKey;
import org.leasehold.readmodel.audit.SignedHeads;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.util.List;

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
                            + " it ran, soon after the day ends.")
    @GetMapping("/api/audit/heads")
    HeadPage heads(
            @RequestParam(name = "after", defaultValue = "0") @Min(0) long after,
            @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(1000) int limit) {
        List<SealHead> heads = signedHeads.heads(after, limit).stream().map(SealHead::of).toList();
        return new HeadPage(heads, heads.size() < limit ? null : heads.getLast().number());
    }

    @Operation(
            operationId = "listKeys",
            summary = "List keys that sign heads, oldest first",
            description =
                    "Public keys with the time from which each is used."
                            + " Copy them to a safe place to verify heads later.")
    @GetMapping("/api/audit/keys")
    KeyList keys() {
        return new KeyList(signedHeads.keys().stream().map(SealKey::of).toList());
    }
}
