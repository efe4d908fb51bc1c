package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.audit.AuditResponses.Denied;
import org.leasehold.gateway.api.audit.AuditResponses.DeniedPage;
import org.leasehold.gateway.api.export.Csv;
import org.leasehold.gateway.api.export.StreamedResults;
import org.leasehold.gateway.api.export.StreamedResults.Form;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageQuery;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.gateway.security.Caller;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.AddressRange;
import org.leasehold.readmodel.audit.DeniedAttempts;
import org.leasehold.readmodel.audit.DeniedAttempts.ListAttempts;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.util.stream.Stream;

/** Routes for auditors about denied attempts. */
@RestController
@Tag(name = "audit")
class DeniedAttemptRoutes {

    private static final int PAGE_SIZE = 500;

    private final DeniedAttempts attempts;
    private final StreamedResults<Denied> resultStream;

    DeniedAttemptRoutes(DeniedAttempts attempts, JsonMapper json) {
        this.attempts = attempts;
        this.resultStream =
                new StreamedResults<>(
                        json,
                        Csv.line(
                                Stream.of(
                                        "at",
                                        "last_at",
                                        "times",
                                        "user_id",
                                        "project_id",
                                        "roles",
                                        "attempt",
                                        "target",
                                        "why",
                                        "request_id",
                                        "address",
                                        "agent")),
                        DeniedAttemptRoutes::line);
    }

    @Operation(
            operationId = "listDenied",
            summary = "List denied attempts, newest first",
            description =
                    "Rejected commands, denied logins, requests that no"
                            + " role of the caller allows, and requests for another"
                            + " project's lease, which got 404. Except for rejected"
                            + " commands, equal ones within a minute are one entry"
                            + " with a count. The origin of the first one is shown as"
                            + " long as it is stored. With Accept: text/csv or"
                            + " application/x-ndjson, the response has all entries as"
                            + " lines. Otherwise, the Link header with rel=next leads"
                            + " to the next page.")
    @LongRead
    @GetMapping("/api/audit/denied")
    ResponseEntity<DeniedPage> list(
            @NotNull @Valid DeniedAttemptQuery query,
            @NotNull @Valid PageQuery paging,
            HttpServletRequest request) {
        QueryWindow.requireOrdered(query.from(), query.to());
        AddressRange addresses = AddressRangeParser.parse(query.address());
        Page<Denied> page = page(query, addresses, paging.marker(), paging.limit());
        return NextPageLink.response(request, page, DeniedPage::new);
    }

    @Operation(operationId = "streamDenied", hidden = true)
    @LongRead
    @GetMapping(
            path = "/api/audit/denied",
            produces = {StreamedResults.CSV, StreamedResults.ND_JSON})
    void stream(
            @AuthenticationPrincipal Caller caller,
            @RequestHeader(HttpHeaders.ACCEPT) String accept,
            @NotNull @Valid DeniedAttemptQuery query,
            HttpServletResponse response)
            throws IOException {
        QueryWindow.requireOrdered(query.from(), query.to());
        AddressRange addresses = AddressRangeParser.parse(query.address());
        resultStream.send(
                caller,
                response,
                Form.fromAcceptHeader(accept),
                marker -> page(query, addresses, marker, PAGE_SIZE));
    }

    private Page<Denied> page(
            DeniedAttemptQuery query,
            @Nullable AddressRange addresses,
            @Nullable String marker,
            int limit) {
        return attempts.list(
                        new ListAttempts(
                                query.user(),
                                query.project(),
                                query.target(),
                                query.targetProject(),
                                addresses,
                                query.from(),
                                query.to(),
                                marker,
                                limit))
                .map(Denied::of);
    }

    private static String line(Denied denied) {
        return Csv.line(
                Stream.of(
                        denied.at().toString(),
                        denied.lastAt().toString(),
                        Long.toString(denied.times()),
                        denied.userId(),
                        denied.projectId(),
                        String.join(" ", denied.roles()),
                        denied.attempt(),
                        denied.target(),
                        denied.why(),
                        denied.requestId(),
                        denied.address(),
                        denied.agent()));
    }
}
