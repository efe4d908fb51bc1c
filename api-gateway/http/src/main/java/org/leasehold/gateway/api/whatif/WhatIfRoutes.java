package org.leasehold.gateway.api.whatif;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.validation.Valid;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.export.LongResponseLimiter;
import org.leasehold.gateway.api.http.TimeParser;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.Problem.FieldError;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.query.QueryWindow;
import org.leasehold.gateway.api.query.RequirementValidator;
import org.leasehold.gateway.api.resource.PluginFacade;
import org.leasehold.gateway.api.whatif.WhatIfRequestBodies.AskedWorld;
import org.leasehold.gateway.api.whatif.WhatIfRequestBodies.FurtherResources;
import org.leasehold.gateway.api.whatif.WhatIfRequestBodies.LostResources;
import org.leasehold.gateway.api.whatif.WhatIfResponses.WhatIfAnswer;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.FilterPropertyValidator;
import org.leasehold.gateway.security.Role;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.whatif.WhatIf;
import org.leasehold.whatif.WhatIf.NoSuchResource;
import org.leasehold.whatif.WhatIf.TooMuch;
import org.leasehold.whatif.WhatIfScenario;
import org.leasehold.whatif.WhatIfScenario.Lost;
import org.leasehold.whatif.WhatIfScenario.More;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Queries that replay recorded requests in another scenario. */
@RestController
@Tag(name = "capacity")
class WhatIfRoutes {

    private static final Duration DEFAULT_WINDOW = Duration.ofDays(30);
    private static final Duration MAX_WINDOW = Duration.ofDays(1830);
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_ADDED_RESOURCES = 10_000;

    private final WhatIf whatIf;
    private final PluginFacade kinds;
    private final FilterPropertyValidator propertyValidator;
    private final Clock clock;
    private final LongResponseLimiter limiter = new LongResponseLimiter("replays are made");

    WhatIfRoutes(WhatIf whatIf, PluginFacade kinds, FilterPropertyValidator names, Clock clock) {
        this.whatIf = whatIf;
        this.kinds = kinds;
        this.propertyValidator = names;
        this.clock = clock;
    }

    @Operation(
            operationId = "compareWorlds",
            summary = "Replay recorded requests in a changed world",
            description =
                    "Replays all decisions of the window, refused requests"
                            + " included, in memory and with the engine's own rules."
                            + " It starts from the resources at the start of the"
                            + " window and writes nothing. An unchanged world"
                            + " reproduces the record; the response lists the"
                            + " positions of decisions that it does not reproduce. A"
                            + " node runs at most two replays at once, of at most"
                            + " 2,000,000 events.")
    @PostMapping("/api/what-if")
    WhatIfAnswer compare(
            @AuthenticationPrincipal Caller caller, @Valid @RequestBody AskedWorld asked) {
        WhatIfScenario world = toScenario(caller, asked);
        try (LongResponseLimiter.Slot _ = limiter.acquire(caller)) {
            return WhatIfAnswer.of(world, whatIf.compare(world), caller.hasRole(Role.AUDITOR));
        } catch (TooMuch much) {
            throw new ProblemException(
                    Problem.ofField("to", "is too late: there are " + much.getMessage()));
        } catch (NoSuchResource none) {
            throw new ProblemException(
                    Problem.ofField(
                            "more[%s].like".formatted(none.index()),
                            "is the number of no resource of this kind at that time"));
        }
    }

    private WhatIfScenario toScenario(Caller caller, AskedWorld asked) {
        Instant to = orElse(asked.to(), clock.instant());
        Instant from = orElse(asked.from(), TimeParser.clamp(to.minus(DEFAULT_WINDOW)));
        QueryWindow window = requireWindow(from, to);
        Duration longest = asked.maximumDuration();
        require(
                longest == null || (longest.isPositive() && longest.compareTo(MAX_WINDOW) <= 0),
                "maximum_duration",
                "must be positive, and at most %s days".formatted(MAX_WINDOW.toDays()));
        require(
                asked.givenMore().stream().mapToInt(FurtherResources::count).sum()
                        <= MAX_ADDED_RESOURCES,
                "more",
                "must not be more than %s together".formatted(MAX_ADDED_RESOURCES));
        Integer percent = asked.demandPercent();
        Integer limit = asked.limit();
        return new WhatIfScenario(
                from,
                to,
                addedResources(asked.givenMore(), window),
                lostResources(caller, asked.givenLost(), window),
                longest,
                percent == null ? WhatIfScenario.UNCHANGED_DEMAND : percent,
                limit == null ? DEFAULT_LIMIT : limit);
    }

    /** Names both fields: either end may be the wrong one. */
    private static QueryWindow requireWindow(Instant from, Instant to) {
        if (to.isAfter(from.plus(MAX_WINDOW))) {
            String message = "must be at most %s days apart".formatted(MAX_WINDOW.toDays());
            throw new ProblemException(
                    Problem.of(400, "bad-request", "from and to " + message)
                            .with(
                                    List.of(
                                            new FieldError("from", message),
                                            new FieldError("to", message))));
        }
        return QueryWindow.of(from, to, MAX_WINDOW);
    }

    private List<More> addedResources(List<FurtherResources> asked, QueryWindow window) {
        List<More> more = new ArrayList<>();
        for (FurtherResources request : asked) {
            String field = "more[%s]".formatted(more.size());
            ResourceKind kind = kinds.kind(field + ".kind", request.kind());
            // Properties may be new, so a hidden one is treated as new.
            Long like = request.like();
            more.add(
                    new More(
                            request.count(),
                            kind,
                            like == null ? null : new ResourceId(like),
                            request.zone(),
                            request.givenProperties(),
                            requireWithin(window, request.from(), field + ".from")));
        }
        return more;
    }

    private List<Lost> lostResources(Caller caller, List<LostResources> asked, QueryWindow window) {
        List<Lost> lost = new ArrayList<>();
        for (LostResources request : asked) {
            String field = "lost[%s]".formatted(lost.size());
            ResourceKind kind = kinds.kind(field + ".kind", request.kind());
            lost.add(
                    new Lost(
                            kind,
                            request.zone(),
                            RequirementValidator.parseRequirement(
                                    propertyValidator,
                                    caller,
                                    kind,
                                    field + ".requirement",
                                    request.requirement()),
                            requireWithin(window, request.from(), field + ".from")));
        }
        return lost;
    }

    private static Instant requireWithin(
            QueryWindow window, @Nullable Instant instant, String field) {
        Instant at = orElse(instant, window.from());
        require(
                !at.isBefore(window.from()) && at.isBefore(window.to()),
                field,
                "must be in the window");
        return at;
    }

    private static Instant orElse(@Nullable Instant instant, Instant other) {
        return instant == null ? other : instant;
    }

    private static void require(boolean holds, String field, String message) {
        if (!holds) {
            throw new ProblemException(Problem.ofField(field, message));
        }
    }
}
