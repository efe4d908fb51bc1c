package org.leasehold.gateway.api.me;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import org.leasehold.gateway.ProductInfo;
import org.leasehold.gateway.api.me.MeResponses.ClientLimits;
import org.leasehold.gateway.api.me.MeResponses.Me;
import org.leasehold.gateway.api.me.MeResponses.PlanName;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.security.access.AccessPolicy;
import org.leasehold.readmodel.usage.Charges;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Shows callers who they are here, and what they can use. It reads no project's data. */
@RestController
@Tag(name = "me")
class MeRoutes {

    private final AccessPolicy policy;
    private final PluginFacade kinds;
    private final Charges charges;
    private final ClientLimits limits;
    private final ProductInfo product;
    private final Clock clock;

    MeRoutes(
            AccessPolicy policy,
            PluginFacade kinds,
            Charges charges,
            ClientLimits limits,
            ProductInfo product,
            Clock clock) {
        this.policy = policy;
        this.kinds = kinds;
        this.charges = charges;
        this.limits = limits;
        this.product = product;
        this.clock = clock;
    }

    @Operation(
            operationId = "showMe",
            summary = "Show the caller",
            description =
                    "The user, the project, the roles and the permitted actions; and what this"
                            + " engine offers: kinds, price plans and limits. Every node answers.")
    @GetMapping("/api/me")
    Me show(@AuthenticationPrincipal Caller caller) {
        Instant now = clock.instant();
        boolean ofProject = caller.hasProject();
        return new Me(
                caller.user().value(),
                caller.userName(),
                ofProject ? caller.project().value() : null,
                ofProject ? caller.projectName() : null,
                caller.roles().stream().map(Role::toString).toList(),
                List.copyOf(policy.actionsOf(caller)),
                caller.authentication(),
                List.copyOf(kinds.kindNames()),
                charges.plansFrom(now).stream().map(PlanName::of).toList(),
                limits,
                product.version(),
                product.simulated(),
                now);
    }
}
