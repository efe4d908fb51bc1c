package org.leasehold.gateway.api.webhook;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import org.leasehold.command.CommandContext;
import org.leasehold.gateway.api.event.EventTypeNames;
import org.leasehold.gateway.api.http.EventLogHeaders;
import org.leasehold.gateway.api.http.NextPageLink;
import org.leasehold.gateway.api.http.PageQuery;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.problem.SubscriptionProblems;
import org.leasehold.gateway.api.webhook.WebhookRequestBodies.WebhookChange;
import org.leasehold.gateway.api.webhook.WebhookRequestBodies.WebhookRequest;
import org.leasehold.gateway.api.webhook.WebhookResponses.DeadLetter;
import org.leasehold.gateway.api.webhook.WebhookResponses.DeadLetterPage;
import org.leasehold.gateway.api.webhook.WebhookResponses.MadeWebhook;
import org.leasehold.gateway.api.webhook.WebhookResponses.ReplacedSecret;
import org.leasehold.gateway.api.webhook.WebhookResponses.WebhookLine;
import org.leasehold.gateway.api.webhook.WebhookResponses.WebhookPage;
import org.leasehold.gateway.command.CommandContextFactory;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.subscription.WebhookRules;
import org.leasehold.readmodel.subscription.Webhooks;
import org.leasehold.readmodel.subscription.Webhooks.Change;
import org.leasehold.readmodel.subscription.Webhooks.Order;
import org.leasehold.readmodel.subscription.Webhooks.Webhook;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Routes for webhooks, which send the events of a project. */
@RestController
@Tag(name = "webhooks")
class WebhookRoutes {

    /** The largest position that other parameters accept. */
    private static final long MAX_POSITION = 999_999_999_999_999_999L;

    private final Webhooks webhooks;
    private final WebhookRules rules;
    private final EventTypeNames eventTypes;
    private final EventLogPositions positions;
    private final CommandContextFactory contexts;

    WebhookRoutes(
            Webhooks webhooks,
            WebhookRules rules,
            EventTypeNames events,
            EventLogPositions positions,
            CommandContextFactory contexts) {
        this.webhooks = webhooks;
        this.rules = rules;
        this.eventTypes = events;
        this.positions = positions;
        this.contexts = contexts;
    }

    @Operation(
            operationId = "makeWebhook",
            summary = "Create a webhook",
            description =
                    "The engine sends each event from now on by POST, in"
                            + " the form of the event feed, and signs it according to"
                            + " Standard Webhooks. Only this response contains the"
                            + " secret. If you repeat the request with its"
                            + " Idempotency-Key, the same webhook gets a new secret,"
                            + " and the old one stops working. Administrators may"
                            + " request the scope all.")
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @PostMapping("/api/webhooks")
    ResponseEntity<MadeWebhook> make(
            @AuthenticationPrincipal Caller caller,
            @Valid @RequestBody WebhookRequest wish,
            HttpServletRequest request) {
        boolean everything = wish.scope() == WebhookScope.ALL;
        if (everything && !caller.hasRole(Role.ADMIN)) {
            throw new ProblemException(
                    Problem.of(
                                    403,
                                    "forbidden",
                                    "Only administrators may have all projects' events sent.")
                            .with("scope", "must be project"));
        }
        requireAllowedUrl(wish.url());
        Set<String> types =
                wish.types() == null ? Set.of() : eventTypes.resolve("types", wish.types());
        WebhookSecret secret = WebhookSecret.generate();
        CommandContext context = contexts.forSubscription(caller, request);
        Order order =
                new Order(
                        contexts.subscriptionIdFor(context),
                        caller.project(),
                        everything,
                        caller.user(),
                        wish.url(),
                        types,
                        wish.description(),
                        wish.enabled() == null || wish.enabled(),
                        context.now());
        SubscriptionProblems.requireCreated(
                webhooks.create(order, secret.text(), rules.maxPerProject(), context),
                context,
                Problem.of(
                        409,
                        "too-many-webhooks",
                        "The project may have %s webhooks; remove one that nobody needs."
                                .formatted(rules.maxPerProject())));
        return ResponseEntity.status(HttpStatus.CREATED)
                .headers(EventLogHeaders.at(positions.last()))
                .body(
                        new MadeWebhook(
                                WebhookLine.of(requireWebhook(webhooks.find(order.id(), null))),
                                secret.text()));
    }

    private void requireAllowedUrl(String url) {
        rules.findObjection(url)
                .ifPresent(
                        objection -> {
                            throw new ProblemException(Problem.ofField("url", objection));
                        });
    }

    private static Webhook requireWebhook(Optional<Webhook> webhook) {
        return webhook.orElseThrow(WebhookRoutes::notFound);
    }

    private static ProblemException notFound() {
        return new ProblemException(Problem.notFound("webhook"));
    }

    private static void requireFound(boolean found) {
        if (!found) {
            throw notFound();
        }
    }

    @Operation(
            operationId = "listWebhooks",
            summary = "List webhooks of the project",
            description =
                    "Secrets are left out. Administrators see the webhooks of all projects. The"
                            + " Link header with rel=next leads to the next page.")
    @GetMapping("/api/webhooks")
    ResponseEntity<WebhookPage> list(
            @AuthenticationPrincipal Caller caller,
            @NotNull @Valid PageQuery paging,
            HttpServletRequest request) {
        Page<WebhookLine> page =
                webhooks.list(caller.writeScope(), paging.marker(), paging.limit())
                        .map(WebhookLine::of);
        return NextPageLink.response(request, page, WebhookPage::new);
    }

    @Operation(
            operationId = "showWebhook",
            summary = "Show a webhook and the state of its deliveries",
            description = "Its secret is left out.")
    @GetMapping("/api/webhooks/{id}")
    WebhookLine show(@AuthenticationPrincipal Caller caller, @PathVariable("id") UUID id) {
        return WebhookLine.of(requireWebhook(webhooks.find(id, caller.writeScope())));
    }

    @Operation(
            operationId = "changeWebhook",
            summary = "Change, disable or enable a webhook",
            description =
                    "Events that happen while the webhook is disabled are"
                            + " sent once it is enabled again. Waiting deliveries go"
                            + " to a new address, if it has one.")
    @ApiResponse(responseCode = "200", useReturnTypeSchema = true)
    @PatchMapping("/api/webhooks/{id}")
    ResponseEntity<WebhookLine> change(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            @Valid @RequestBody WebhookChange wish,
            HttpServletRequest request) {
        // Checks access first: no caller may cause a DNS lookup through another project's webhook.
        requireWebhook(webhooks.find(id, caller.writeScope()));
        if (wish.url() != null) {
            requireAllowedUrl(wish.url());
        }
        Set<String> types = wish.types() == null ? null : eventTypes.resolve("types", wish.types());
        requireFound(
                webhooks.change(
                        id,
                        caller.writeScope(),
                        new Change(
                                wish.url(),
                                types,
                                wish.description() == null ? null : wish.description().strip(),
                                wish.enabled()),
                        contexts.of(caller, request)));
        return ResponseEntity.ok()
                .headers(EventLogHeaders.at(positions.last()))
                .body(WebhookLine.of(requireWebhook(webhooks.find(id, caller.writeScope()))));
    }

    @Operation(
            operationId = "removeWebhook",
            summary = "Delete a webhook",
            description = "Its waiting deliveries and its dead letters are deleted, too.")
    @ApiResponse(responseCode = "204")
    @DeleteMapping("/api/webhooks/{id}")
    ResponseEntity<Void> remove(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            HttpServletRequest request) {
        requireFound(webhooks.remove(id, caller.writeScope(), contexts.of(caller, request)));
        return noContent();
    }

    private ResponseEntity<Void> noContent() {
        return ResponseEntity.noContent().headers(EventLogHeaders.at(positions.last())).build();
    }

    @Operation(
            operationId = "replaceWebhookSecret",
            summary = "Replace the secret of a webhook",
            description =
                    "Only this response contains the new secret. For some"
                            + " time, the former secrets sign messages, too.")
    @ApiResponse(responseCode = "200", useReturnTypeSchema = true)
    @PostMapping("/api/webhooks/{id}/secret")
    ResponseEntity<ReplacedSecret> replaceSecret(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            HttpServletRequest request) {
        WebhookSecret secret = WebhookSecret.generate();
        Duration formerFor = rules.formerSecretValidity();
        CommandContext context = contexts.of(caller, request);
        requireFound(
                webhooks.replaceSecret(id, caller.writeScope(), secret.text(), formerFor, context));
        return ResponseEntity.ok()
                .headers(EventLogHeaders.at(positions.last()))
                .body(new ReplacedSecret(secret.text(), context.now().plus(formerFor)));
    }

    @Operation(
            operationId = "listDeadLetters",
            summary = "List dead letters of a webhook",
            description =
                    "In order of their positions. The receiver's responses are not stored. The Link"
                            + " header with rel=next leads to the next page.")
    @GetMapping("/api/webhooks/{id}/dead-letters")
    ResponseEntity<DeadLetterPage> deadLetters(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            @NotNull @Valid PageQuery paging,
            HttpServletRequest request) {
        Page<DeadLetter> page =
                webhooks.deadLetters(id, caller.writeScope(), paging.marker(), paging.limit())
                        .orElseThrow(WebhookRoutes::notFound)
                        .map(DeadLetter::of);
        return NextPageLink.response(request, page, DeadLetterPage::new);
    }

    @Operation(
            operationId = "retryDeadLetter",
            summary = "Retry a dead letter",
            description = "The delivery gets all its attempts again.")
    @ApiResponse(responseCode = "204")
    @PostMapping("/api/webhooks/{id}/dead-letters/{position}/retry")
    ResponseEntity<Void> retry(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            @PathVariable("position") @Min(1) @Max(MAX_POSITION) long position,
            HttpServletRequest request) {
        requireWebhook(webhooks.find(id, caller.writeScope()));
        CommandContext context = contexts.of(caller, request);
        if (!webhooks.retryDeadLetter(id, caller.writeScope(), position, context)) {
            throw new ProblemException(
                    Problem.of(409, "wrong-state", "There is no dead letter at this position."));
        }
        return noContent();
    }

    @Operation(
            operationId = "retryWebhook",
            summary = "Retry all dead letters and waiting deliveries",
            description =
                    "Dead letters get all their attempts again. Waiting"
                            + " deliveries start at once.")
    @ApiResponse(responseCode = "204")
    @PostMapping("/api/webhooks/{id}/retry")
    ResponseEntity<Void> retryAll(
            @AuthenticationPrincipal Caller caller,
            @PathVariable("id") UUID id,
            HttpServletRequest request) {
        requireFound(webhooks.retryAll(id, caller.writeScope(), contexts.of(caller, request)));
        return noContent();
    }
}
