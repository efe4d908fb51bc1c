package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.audit.AuditResponses.Call;
import org.leasehold.gateway.api.audit.AuditResponses.CallPage;
import org.leasehold.gateway.api.audit.AuditResponses.ChangedSubscription;
import org.leasehold.gateway.api.audit.AuditResponses.ChangedSubscriptionPage;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageQuery;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.CloudCalls;
import org.leasehold.readmodel.subscription.SubscriptionChanges;
import org.leasehold.readmodel.subscription.SubscriptionChanges.ListChanges;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.util.UUID;

/** Routes for auditors beyond the history of a lease. */
@RestController
@Tag(name = "audit")
class AuditRoutes {

    private final CloudCalls calls;
    private final SubscriptionChanges subscriptions;

    AuditRoutes(CloudCalls calls, SubscriptionChanges subscriptions) {
        this.calls = calls;
        this.subscriptions = subscriptions;
    }

    @Operation(
            operationId = "listCalls",
            summary = "List calls of plug-ins in the cloud, newest first",
            description =
                    "Each attempt is an entry, also a failed one. The"
                            + " cloud's services log the same request id. The Link"
                            + " header with rel=next leads to the next page.")
    @LongRead
    @GetMapping("/api/audit/calls")
    ResponseEntity<CallPage> calls(@NotNull @Valid CallQuery query, HttpServletRequest request) {
        QueryWindow.requireOrdered(query.from(), query.to());
        Page<Call> page = calls.list(query.question()).map(Call::of);
        return NextPageLink.response(request, page, CallPage::new);
    }

    @Operation(
            operationId = "listSubscriptionChanges",
            summary = "List changes of webhooks and calendar feeds, newest first",
            description =
                    "Who created, changed or removed one, replaced its"
                            + " secret or retried its deliveries, and what the change"
                            + " was. The list contains no secret: for an address, it"
                            + " has only scheme, host and port. The origin of the"
                            + " request is shown as long as it is stored. The Link"
                            + " header with rel=next leads to the next page.")
    @LongRead
    @GetMapping("/api/audit/subscriptions")
    ResponseEntity<ChangedSubscriptionPage> subscriptions(
            @RequestParam(name = "user", required = false) @Size(max = 255) @Nullable String user,
            @RequestParam(name = "project", required = false) @Size(max = 255)
                    @Nullable String project,
            @RequestParam(name = "subscription", required = false) @Nullable UUID subscription,
            @NotNull @Valid PageQuery paging,
            HttpServletRequest request) {
        Page<ChangedSubscription> page =
                subscriptions
                        .list(
                                new ListChanges(
                                        user,
                                        project,
                                        subscription,
                                        paging.marker(),
                                        paging.limit()))
                        .map(ChangedSubscription::of);
        return NextPageLink.response(request, page, ChangedSubscriptionPage::new);
    }
}
