package org.leasehold.runtime.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;

import org.leasehold.readmodel.resource.ObservedUses;
import org.leasehold.readmodel.resource.ObservedUses.Standing;
import org.springframework.scheduling.annotation.Scheduled;

import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Gauges of the last observed use of leased resources, by kind. They are read at intervals, not at
 * each scrape.
 */
final class ObservedUseGauges {

    private final ObservedUses uses;
    private final Clock clock;
    private final MultiGauge idle;
    private final MultiGauge servers;
    private final MultiGauge vcpus;

    ObservedUseGauges(ObservedUses uses, Clock clock, MeterRegistry registry) {
        this.uses = uses;
        this.clock = clock;
        idle =
                gauge(
                        "idle",
                        "Whole resources that leases have, and on which nothing runs",
                        registry);
        servers = gauge("servers", "Servers on whole resources that leases have", registry);
        vcpus = gauge("vcpus", "Virtual processors of these servers", registry);
    }

    private static MultiGauge gauge(String name, String description, MeterRegistry registry) {
        return MultiGauge.builder("leasehold.use." + name)
                .description(description)
                .register(registry);
    }

    /** Reads the values. After a failure the gauges are empty: an old number would look current. */
    @Scheduled(fixedDelay = 15, timeUnit = TimeUnit.SECONDS)
    void updateGauges() {
        try {
            registerRows(uses.lastUseByKind(clock.instant()));
        } catch (RuntimeException e) {
            registerRows(List.of());
            throw e;
        }
    }

    private void registerRows(List<Standing> kinds) {
        registerRows(idle, kinds, Standing::idle);
        registerRows(servers, kinds, Standing::servers);
        registerRows(vcpus, kinds, Standing::vcpus);
    }

    private static void registerRows(
            MultiGauge gauge, List<Standing> kinds, ToLongFunction<Standing> amount) {
        gauge.register(
                kinds.stream()
                        .map(
                                each ->
                                        Row.of(
                                                Tags.of("kind", each.kind().value()),
                                                amount.applyAsLong(each)))
                        .toList(),
                true);
    }
}
