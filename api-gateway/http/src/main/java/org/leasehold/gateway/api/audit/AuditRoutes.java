package org.leasehold.gateway.api.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.audit.AuditResponses.Call;
import org.leasehold.gateway.api.audit.AuditResponses.CallPage;
import org.leasehold.gateway.api.audit.AuditResponses.ChangedSubscription;
import org.leasehold.gateway.api.audit.AuditResponses.ChangedSubscriptionPage;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.limits.LongRead;
import org.leasehold.inventory.ResourceId;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.operation.CloudCalls;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.operation.CloudCalls.ListCalls;
import org.leasehold.readmodel.subscription.SubscriptionChanges;
import org.leasehold.readmodel.subscription.SubscriptionChanges.ListChanges;
import org.leasehold.readmodel.subscription.SubscriptionChanges.SubscriptionChange;
import org.leasehold.vocabulary.LeaseId;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import java.time.Instant;
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
                            + " cloud's services log the same request id.")
    @LongRead
    @GetMapping("/api/audit/calls")
    CallPage calls(
            @RequestParam(name = "lease", required = false) @Nullable UUID lease,
            @RequestParam(name = "resource", required = false) @Min(1) @Nullable Long resource,
            @RequestParam(name = "request", required = false) @Pattern(regexp = "req-[0-9a-f-]{36}")
                    @Nullable String request,
            @RequestParam(name = "from", required = false) @Nullable Instant from,
            @RequestParam(name = "to", required = false) @Nullable Instant to,
            @RequestParam(name = "marker", required = false) @Nullable String marker,
            @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(1000) int limit) {
        QueryWindow.requireOrdered(from, to);
        var question =
                new ListCalls(
                        lease == null ? null : new LeaseId(lease),
                        resource == null ? null : new ResourceId(resource),
                        request,
                        from,
                        to,
                        marker,
                        limit);
        Page<CloudCall> page = calls.list(question);
        return new CallPage(page.items().stream().map(Call::of).toList(), page.next());
    }

    @Operation(
            operationId = "listSubscriptionChanges",
            summary = "List changes of webhooks and calendar feeds, newest first",
            description =
                    "Who created, changed or removed one, replaced its"
                            + " secret or retried its deliveries, and what the change"
                            + " was. The list contains no secret: for an address, it"
                            + " has only scheme, host and port. The origin of the"
                            + " request is shown as long as it is stored.")
    @LongRead
    @GetMapping("/api/audit/subscriptions")
    ChangedSubscriptionPage subscriptions(
            @RequestParam(name = "user", required = false) @Size(max = 255) @Nullable String user,
            @RequestParam(name = "project", required = false) @Size(max = 255)
                    @Nullable String project,
            @RequestParam(name = "subscription", required = false) @Nullable UUID subscription,
            @RequestParam(name = "marker", required = false) @Nullable String marker,
            @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(1000) int limit) {
        var question = new ListChanges(user, project, subscription, marker, limit);
        Page<SubscriptionChange> page = subscriptions.list(question);
        return new ChangedSubscriptionPage(
                page.items().stream().map(ChangedSubscription::of).toList(), page.next());
    }
}
