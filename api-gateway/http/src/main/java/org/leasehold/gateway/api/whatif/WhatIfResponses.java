package org.leasehold.gateway.api.whatif;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.http.DecimalNormalization;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.whatif.Comparison;
import org.leasehold.whatif.Comparison.Difference;
import org.leasehold.whatif.Comparison.Figures;
import org.leasehold.whatif.Comparison.Hours;
import org.leasehold.whatif.Comparison.Requests;
import org.leasehold.whatif.Comparison.Waiting;
import org.leasehold.whatif.Comparison.Week;
import org.leasehold.whatif.WhatIfScenario;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Responses about what-if replays. */
public final class WhatIfResponses {

    private WhatIfResponses() {}

    /**
     * The recorded history and the changed one.
     *
     * @param position the last event that was replayed
     * @param events the number of replayed events
     * @param leases null for callers who may not see leases
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record WhatIfAnswer(
            Instant from,
            Instant to,
            long position,
            long events,
            WorldFigures recorded,
            WorldFigures changed,
            NotReproduced notReproduced,
            long otherwise,
            @Nullable List<OtherwiseDecided> leases) {

        static WhatIfAnswer of(WhatIfScenario world, Comparison comparison, boolean showsLeases) {
            return new WhatIfAnswer(
                    world.from(),
                    world.to(),
                    comparison.position(),
                    comparison.events(),
                    WorldFigures.of(comparison.recorded()),
                    WorldFigures.of(comparison.changed()),
                    new NotReproduced(
                            comparison.notReproduced().count(), comparison.notReproduced().first()),
                    comparison.otherwise().count(),
                    showsLeases
                            ? comparison.otherwise().first().stream()
                                    .map(OtherwiseDecided::of)
                                    .toList()
                            : null);
        }
    }

    /** Decisions that differed when the events were replayed unchanged. */
    record NotReproduced(long count, List<Long> positions) {}

    /** The figures of a scenario. */
    record WorldFigures(
            DecidedRequests requests,
            DecidedRequests changes,
            WaitingTimes waiting,
            List<KindHours> kinds,
            List<WeekFigures> weeks) {

        static WorldFigures of(Figures figures) {
            return new WorldFigures(
                    DecidedRequests.of(figures.requests()),
                    DecidedRequests.of(figures.changes()),
                    WaitingTimes.of(figures.waiting()),
                    figures.kinds().entrySet().stream().map(KindHours::of).toList(),
                    figures.weeks().stream().map(WeekFigures::of).toList());
        }
    }

    /** Decisions of the window. */
    record DecidedRequests(long all, long accepted, long refused, long forbidden) {

        static DecidedRequests of(Requests requests) {
            return new DecidedRequests(
                    requests.all(), requests.accepted(), requests.refused(), requests.forbidden());
        }
    }

    /** The delays after which refused requests could have started. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record WaitingTimes(
            long opened, long never, @Nullable Duration mean, @Nullable Duration longest) {

        static WaitingTimes of(Waiting waiting) {
            return new WaitingTimes(
                    waiting.opened(), waiting.never(), waiting.mean(), waiting.longest());
        }
    }

    /** A week, or the part of one at an end of the window. */
    record WeekFigures(
            @FormerName("starts") Instant start,
            @FormerName("ends") Instant end,
            List<KindHours> kinds) {

        static WeekFigures of(Week week) {
            return new WeekFigures(
                    week.starts(),
                    week.ends(),
                    week.kinds().entrySet().stream().map(KindHours::of).toList());
        }
    }

    /**
     * Resources of a kind times hours.
     *
     * @param utilisation null where nothing was in service
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record KindHours(
            String kind,
            BigDecimal enrolled,
            BigDecimal reservable,
            BigDecimal reserved,
            BigDecimal lost,
            BigDecimal refused,
            BigDecimal forbidden,
            @Nullable BigDecimal utilisation) {

        static KindHours of(Map.Entry<ResourceKind, Hours> entry) {
            Hours hours = entry.getValue();
            BigDecimal utilisation = hours.utilisation();
            return new KindHours(
                    entry.getKey().value(),
                    DecimalNormalization.normalize(hours.enrolled()),
                    DecimalNormalization.normalize(hours.reservable()),
                    DecimalNormalization.normalize(hours.reserved()),
                    DecimalNormalization.normalize(hours.lost()),
                    DecimalNormalization.normalize(hours.refused()),
                    DecimalNormalization.normalize(hours.forbidden()),
                    utilisation == null ? null : DecimalNormalization.normalize(utilisation));
        }
    }

    /** A decision that differs in the other scenario. */
    record OtherwiseDecided(
            @FormerName("lease") UUID leaseId,
            long position,
            Instant at,
            String recorded,
            String changed) {

        static OtherwiseDecided of(Difference difference) {
            return new OtherwiseDecided(
                    difference.lease().value(),
                    difference.position(),
                    difference.at(),
                    difference.recorded().name().toLowerCase(Locale.ROOT),
                    difference.changed().name().toLowerCase(Locale.ROOT));
        }
    }
}
