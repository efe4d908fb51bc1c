package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.CommandContext;
import org.leasehold.command.RequestOrigins;
import org.leasehold.gateway.api.audit.AuditResponses.Erased;
import org.leasehold.gateway.api.audit.AuditResponses.Erasure;
import org.leasehold.gateway.api.audit.AuditResponses.ErasurePage;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageQuery;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.security.Caller;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.OriginErasures;
import org.leasehold.readmodel.event.EventLogPositions;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.Instant;

/** Routes that erase the origins of requests, which are personal data. */
@RestController
@Tag(name = "audit")
class OriginErasureRoutes {

    private final RequestOrigins origins;
    private final OriginErasures erasures;
    private final EventLogPositions positions;
    private final CommandContextFactory contexts;

    OriginErasureRoutes(
            RequestOrigins origins,
            OriginErasures erasures,
            EventLogPositions positions,
            CommandContextFactory contexts) {
        this.origins = origins;
        this.erasures = erasures;
        this.positions = positions;
        this.contexts = contexts;
    }

    @Operation(
            operationId = "eraseOrigins",
            summary = "Erase request origins",
            description =
                    "Erases the addresses and user agents of a user's"
                            + " requests, of requests before an instant, or of those"
                            + " that meet both conditions. Events and their seals"
                            + " stay as they are. The engine stores who erased.")
    @ApiResponse(responseCode = "200", useReturnTypeSchema = true)
    @DeleteMapping("/api/audit/origins")
    ResponseEntity<Erased> erase(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "user", required = false) @Size(max = 255) @Nullable String user,
            @RequestParam(name = "before", required = false) @Nullable Instant before,
            HttpServletRequest request) {
        if (user == null && before == null) {
            throw new ProblemException(
                    Problem.ofField("user", "must be said, or before, or both of them"));
        }
        CommandContext context = contexts.of(caller, request);
        return ResponseEntity.ok()
                .headers(EventLogHeaders.at(positions.last()))
                .body(new Erased(origins.erase(user, before, context)));
    }

    @Operation(
            operationId = "listErasures",
            summary = "List erasures of request origins, newest first",
            description =
                    "Each entry says who erased, when, and which requests were affected. The Link"
                            + " header with rel=next leads to the next page.")
    @GetMapping("/api/audit/erasures")
    ResponseEntity<ErasurePage> list(@NotNull @Valid PageQuery paging, HttpServletRequest request) {
        Page<Erasure> page = erasures.list(paging.marker(), paging.limit()).map(Erasure::of);
        return NextPageLink.response(request, page, ErasurePage::new);
    }
}
