package org.leasehold.gateway.api;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.validation.Valid;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.Problem.FieldError;
import org.leasehold.gateway.api.WhatIfAnswers.WhatIfAnswer;
import org.leasehold.gateway.api.WhatIfForms.AskedWorld;
import org.leasehold.gateway.api.WhatIfForms.FurtherResources;
import org.leasehold.gateway.api.WhatIfForms.LostResources;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.FilterNames;
import org.leasehold.gateway.security.Role;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.whatif.WhatIf;
import org.leasehold.whatif.WhatIf.NoSuchResource;
import org.leasehold.whatif.WhatIf.TooMuch;
import org.leasehold.whatif.World;
import org.leasehold.whatif.World.Lost;
import org.leasehold.whatif.World.More;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Queries that replay recorded requests in another world. */
@RestController
@Tag(name = "capacity")
class WhatIfRoutes {

    private static final Duration USUAL = Duration.ofDays(30);
    private static final Duration LONGEST = Duration.ofDays(1830);
    private static final int USUAL_LIMIT = 100;
    private static final int MOST_FURTHER = 10_000;

    private final WhatIf whatIf;
    private final Kinds kinds;
    private final FilterNames names;
    private final Clock clock;
    private final Places places = new Places("replays are made");

    WhatIfRoutes(WhatIf whatIf, Kinds kinds, FilterNames names, Clock clock) {
        this.whatIf = whatIf;
        this.kinds = kinds;
        this.names = names;
        this.clock = clock;
    }

    @Operation(
            operationId = "compareWorlds",
            summary = "Replays what was asked, refused requests included, in another world",
            description =
                    "All that was decided in the window, on what there was when it began, in"
                        + " memory, with the engine's own rules; nothing is written. In a world"
                        + " that is not another one all comes out as it was recorded; what does not"
                        + " is told by its position. At most two replays on a node at once, of at"
                        + " most 2,000,000 events.")
    @PostMapping("/api/what-if")
    WhatIfAnswer compare(
            @AuthenticationPrincipal Caller caller, @Valid @RequestBody AskedWorld asked) {
        World world = world(caller, asked);
        try (Places.Place _ = places.take(caller)) {
            return WhatIfAnswer.of(world, whatIf.compare(world), caller.is(Role.AUDITOR));
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

    private World world(Caller caller, AskedWorld asked) {
        Instant to = orElse(asked.to(), clock.instant());
        Instant from = orElse(asked.from(), to.minus(USUAL));
        AskedWindow window = window(from, to);
        Duration longest = asked.maximumDuration();
        require(
                longest == null || (longest.isPositive() && longest.compareTo(LONGEST) <= 0),
                "maximum_duration",
                "must be positive, and at most %s days".formatted(LONGEST.toDays()));
        require(
                asked.givenMore().stream().mapToInt(FurtherResources::count).sum() <= MOST_FURTHER,
                "more",
                "must not be more than %s together".formatted(MOST_FURTHER));
        Integer percent = asked.demandPercent();
        Integer limit = asked.limit();
        return new World(
                from,
                to,
                more(asked.givenMore(), window),
                lost(caller, asked.givenLost(), window),
                longest,
                percent == null ? World.AS_IT_WAS : percent,
                limit == null ? USUAL_LIMIT : limit);
    }

    /** Names both fields: either end may be the wrong one. */
    private static AskedWindow window(Instant from, Instant to) {
        if (to.isAfter(from.plus(LONGEST))) {
            String message = "must be at most %s days apart".formatted(LONGEST.toDays());
            throw new ProblemException(
                    Problem.of(400, "bad-request", "from and to " + message)
                            .with(
                                    List.of(
                                            new FieldError("from", message),
                                            new FieldError("to", message))));
        }
        return AskedWindow.of(from, to, LONGEST);
    }

    private List<More> more(List<FurtherResources> asked, AskedWindow window) {
        List<More> more = new ArrayList<>();
        for (FurtherResources its : asked) {
            String field = "more[%s]".formatted(more.size());
            ResourceKind kind = kinds.kind(field + ".kind", its.kind());
            // Properties may be new, so a hidden one is treated as new.
            Long like = its.like();
            more.add(
                    new More(
                            its.count(),
                            kind,
                            like == null ? null : new ResourceId(like),
                            its.zone(),
                            its.givenProperties(),
                            within(window, its.from(), field + ".from")));
        }
        return more;
    }

    private List<Lost> lost(Caller caller, List<LostResources> asked, AskedWindow window) {
        List<Lost> lost = new ArrayList<>();
        for (LostResources its : asked) {
            String field = "lost[%s]".formatted(lost.size());
            ResourceKind kind = kinds.kind(field + ".kind", its.kind());
            lost.add(
                    new Lost(
                            kind,
                            its.zone(),
                            Requirements.read(
                                    names, caller, kind, field + ".requirement", its.requirement()),
                            within(window, its.from(), field + ".from")));
        }
        return lost;
    }

    private static Instant within(AskedWindow window, @Nullable Instant instant, String field) {
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
