package org.leasehold.runtime.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import org.leasehold.inventory.Requirement;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.capacity.Capacities.AskCapacity;
import org.leasehold.readmodel.capacity.Capacities.Bucket;
import org.leasehold.readmodel.capacity.Capacities.Extreme;
import org.leasehold.readmodel.capacity.Capacities.Series;
import org.leasehold.readmodel.capacity.Capacities.Standing;
import org.springframework.scheduling.annotation.Scheduled;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Gauges for planners: the current amount of each kind, and the calendar's values for the time
 * ahead. They are read at intervals, not at each scrape.
 */
final class CapacityGauges {

    /** Periods of the present and the hours from the next one on, as capacity is reported. */
    private static final List<Ahead> FORECAST_PERIODS =
            List.of(new Ahead("1d", 1), new Ahead("7d", 7), new Ahead("30d", 30));

    private final Capacities capacities;
    private final Clock clock;
    private final MultiGauge enrolled;
    private final MultiGauge reservable;
    private final MultiGauge reserved;
    private final MultiGauge active;
    private final MultiGauge maxReserved;
    private final MultiGauge leastHeadroom;
    private final MultiGauge refused;
    private final MultiGauge shortage;

    CapacityGauges(Capacities capacities, Clock clock, MeterRegistry registry) {
        this.capacities = capacities;
        this.clock = clock;
        enrolled = gauge("enrolled", "Resources that are not retired", registry);
        reservable = gauge("reservable", "Of what is enrolled, what is in service", registry);
        reserved = gauge("reserved", "Resources that are promised to leases", registry);
        active = gauge("active", "Of what is reserved, what the cloud has given", registry);
        maxReserved = gauge("reserved.max", "The most that is reserved at any time", registry);
        leastHeadroom =
                gauge(
                        "headroom.min",
                        "The least that is reservable, and not reserved, at any time",
                        registry);
        refused =
                gauge(
                        "refused.hours",
                        "What was asked for and refused, in resources times hours",
                        registry);
        shortage =
                gauge(
                        "shortage.at",
                        "When for the first time nothing is left, in seconds since 1970",
                        registry);
    }

    private static MultiGauge gauge(String name, String description, MeterRegistry registry) {
        return MultiGauge.builder("leasehold.capacity." + name)
                .description(description)
                .register(registry);
    }

    /** Reads the values. After a failure the gauges are empty: an old number would look current. */
    @Scheduled(fixedDelay = 15, timeUnit = TimeUnit.SECONDS)
    void updateGauges() {
        Instant now = clock.instant();
        try {
            updateGauges(now, capacities.capacityAt(now));
        } catch (RuntimeException e) {
            updateGauges(now, List.of());
            throw e;
        }
    }

    private void updateGauges(Instant now, List<Standing> kinds) {
        registerRows(enrolled, kinds, Standing::enrolled);
        registerRows(reservable, kinds, Standing::reservable);
        registerRows(reserved, kinds, Standing::reserved);
        registerRows(active, kinds, Standing::active);
        updateForecastGauges(now, kinds);
    }

    private static void registerRows(
            MultiGauge gauge, List<Standing> kinds, Function<Standing, BigDecimal> amount) {
        gauge.register(
                kinds.stream().map(each -> Row.of(of(each.kind()), amount.apply(each))).toList(),
                true);
    }

    private void updateForecastGauges(Instant now, List<Standing> kinds) {
        // The past part of this hour is not ahead.
        Instant from = now.truncatedTo(ChronoUnit.HOURS).plus(Capacities.BUCKET_UNIT);
        List<Row<?>> maxima = new ArrayList<>();
        List<Row<?>> least = new ArrayList<>();
        List<Row<?>> hours = new ArrayList<>();
        List<Row<?>> shortages = new ArrayList<>();
        for (Standing each : kinds) {
            BigDecimal headroom = each.reservable().subtract(each.reserved());
            Extreme first = null;
            for (Ahead ahead : FORECAST_PERIODS) {
                Series series = capacities.findSeries(ahead.toQuery(each.kind(), from)).getFirst();
                Tags tags = of(each.kind()).and("within", ahead.within());
                maxima.add(Row.of(tags, each.reserved().max(series.mostReserved().amount())));
                least.add(Row.of(tags, headroom.min(series.leastHeadroom().amount())));
                hours.add(Row.of(tags, refusedHours(series)));
                first = series.shortage();
            }
            if (headroom.compareTo(BigDecimal.ONE) < 0) {
                first = new Extreme(now, headroom);
            }
            // A kind without resources is not scarce.
            if (first != null && each.enrolled().signum() > 0) {
                shortages.add(Row.of(of(each.kind()), first.at().getEpochSecond()));
            }
        }
        maxReserved.register(maxima, true);
        leastHeadroom.register(least, true);
        refused.register(hours, true);
        shortage.register(shortages, true);
    }

    private static double refusedHours(Series series) {
        double hours = 0;
        for (Bucket bucket : series.buckets()) {
            hours +=
                    bucket.refused().doubleValue()
                            * Duration.between(bucket.starts(), bucket.ends()).toHours();
        }
        return hours;
    }

    private static Tags of(ResourceKind kind) {
        return Tags.of("kind", kind.value());
    }

    /** A number of days from now on. */
    private record Ahead(String within, int days) {

        AskCapacity toQuery(ResourceKind kind, Instant from) {
            Duration length = Duration.ofDays(days);
            return new AskCapacity(
                    kind, null, Requirement.none(), null, from, from.plus(length), length, 1, null);
        }
    }
}
