package org.leasehold.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.EventTrackerStatus;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.leasehold.command.Commands;
import org.leasehold.command.DenialLog;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.limits.LimitListener;
import org.leasehold.lease.LeaseCommand;
import org.leasehold.query.projection.Projectors;
import org.leasehold.readmodel.capacity.Capacities;
import org.leasehold.readmodel.event.EventLogPositions;
import org.leasehold.readmodel.operation.ProjectionOffsets;
import org.leasehold.readmodel.resource.ObservedUses;
import org.leasehold.resource.Plugins;
import org.leasehold.runtime.database.EngineConnectionPool;
import org.leasehold.runtime.health.LastWriteOutcome;
import org.leasehold.saga.node.FailedPolls;
import org.leasehold.saga.timer.LatenessListener;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.authentication.event.AbstractAuthenticationFailureEvent;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Metrics for operators: outcomes, lateness, lag, and waiting or failing tasks. */
@Configuration(proxyBeanMethods = false)
class MetricsConfiguration {

    @Bean
    @Primary
    Commands meteredCommands(
            @Qualifier("commands") Commands commands,
            DenialCounters denials,
            LastWriteOutcome writes,
            EngineCommandActivity activity,
            MeterRegistry registry) {
        return new MeteredCommands(commands, denials, writes, activity, registry);
    }

    @Bean
    EngineCommandActivity engineActivity() {
        return new EngineCommandActivity(System::nanoTime);
    }

    @Bean
    @Primary
    DenialCounters denialCounters(
            @Qualifier("deniedAttempts") DenialLog kept, MeterRegistry registry) {
        return new DenialCounters(kept, registry);
    }

    @Bean
    ApplicationListener<AbstractAuthenticationFailureEvent> failedLogins(MeterRegistry registry) {
        Counter failed =
                Counter.builder("leasehold.logins.failed")
                        .description("Logins with a wrong password or an unknown name")
                        .register(registry);
        return _ -> failed.increment();
    }

    /** Registers all counters at the start: one that first appears at one has not grown. */
    @Bean
    LimitListener limitCounters(MeterRegistry registry) {
        Map<Limit, Counter> counters = new EnumMap<>(Limit.class);
        for (Limit limit : Limit.values()) {
            counters.put(
                    limit,
                    Counter.builder("leasehold.limited")
                            .description("Requests that a limit refused")
                            .tag("limit", limit.label())
                            .register(registry));
        }
        return limit -> Objects.requireNonNull(counters.get(limit)).increment();
    }

    @Bean
    FailedPolls failedPolls(Plugins plugins, MeterRegistry registry) {
        return new FailedPollCounters(plugins.kinds(), registry);
    }

    @Bean
    MeterBinder requestsWithoutConnection(EngineConnectionPool pool) {
        return registry ->
                Gauge.builder("leasehold.database.requests.waiting", pool::countWaitingRequests)
                        .description("Requests that wait for a connection that others have")
                        .register(registry);
    }

    @Bean
    LatenessListener lateness(MeterRegistry registry) {
        Timer decided = lateness("decided", "until the decision is stored", registry);
        Timer ready = lateness("ready", "until a reservation has its resources", registry);
        return new LatenessListener() {
            @Override
            public void commandDecided(LeaseCommand command, Duration lateness) {
                if (!command.hasLowestPriority()) {
                    decided.record(lateness);
                }
            }

            @Override
            public void reservationReady(Duration lateness) {
                ready.record(lateness);
            }
        };
    }

    private static Timer lateness(String stage, String description, MeterRegistry registry) {
        return Timer.builder("leasehold.lateness")
                .description("From the earliest possible moment " + description)
                .tag("stage", stage)
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofMillis(1))
                .maximumExpectedValue(Duration.ofMinutes(5))
                .register(registry);
    }

    @Bean
    MeterBinder projectionLag(
            org.axonframework.config.Configuration axon, EventLogPositions positions) {
        EventProcessingConfiguration processing = axon.eventProcessingConfiguration();
        return registry ->
                processing
                        .eventProcessors()
                        .forEach(
                                (name, processor) -> {
                                    if (processor instanceof StreamingEventProcessor streaming) {
                                        lag(
                                                name.toLowerCase(Locale.ROOT),
                                                () -> lag(streaming, positions),
                                                registry);
                                    }
                                });
    }

    /** Registers the gauges. Every node reports the lag; only nodes that tried report a failure. */
    @Bean
    MeterBinder projectionGauges(
            ProjectionOffsets projections, Projectors projectors, EventLogPositions positions) {
        return registry ->
                projections
                        .names()
                        .forEach(
                                name -> {
                                    lag(
                                            name,
                                            () ->
                                                    Math.max(
                                                            0,
                                                            positions.last()
                                                                    - projections.position(name)),
                                            registry);
                                    Gauge.builder(
                                                    "leasehold.projection.failing",
                                                    () ->
                                                            projectors.failing().contains(name)
                                                                    ? 1
                                                                    : 0)
                                            .description(
                                                    "1 if this node has tried to go on, and could"
                                                            + " not")
                                            .tag("processor", name)
                                            .register(registry);
                                });
    }

    private static void lag(String processor, Supplier<Number> lag, MeterRegistry registry) {
        Gauge.builder("leasehold.projection.lag", lag)
                .description("Events that a processor has yet to see")
                .tag("processor", processor)
                .register(registry);
    }

    /** Returns the lag of this node's slowest segment; 0 if other nodes have all segments. */
    private static long lag(StreamingEventProcessor processor, EventLogPositions positions) {
        OptionalLong passed =
                processor.processingStatus().values().stream()
                        .map(EventTrackerStatus::getCurrentPosition)
                        .mapToLong(position -> position.orElse(0))
                        .min();
        return passed.isPresent() ? positions.last() - passed.getAsLong() : 0;
    }

    /** Registers the end of the newest signed day; NaN if no day is signed. */
    @Bean
    MeterBinder signedUntil(JdbcClient jdbc) {
        return registry ->
                Gauge.builder("leasehold.audit.signed.until", () -> newestSignedDay(jdbc))
                        .description("The end of the newest day whose head is signed")
                        .register(registry);
    }

    private static double newestSignedDay(JdbcClient jdbc) {
        return jdbc.sql("SELECT max(day) + 1 FROM seal_head")
                .query(LocalDate.class)
                .optional()
                .map(day -> (double) day.atStartOfDay(ZoneOffset.UTC).toEpochSecond())
                .orElse(Double.NaN);
    }

    @Bean
    CapacityGauges capacityGauges(Capacities capacities, Clock clock, MeterRegistry registry) {
        return new CapacityGauges(capacities, clock, registry);
    }

    @Bean
    ObservedUseGauges useGauges(ObservedUses uses, Clock clock, MeterRegistry registry) {
        return new ObservedUseGauges(uses, clock, registry);
    }

    @Bean
    MeterBinder pluginTasks(JdbcClient jdbc) {
        return registry -> {
            tasks("waiting", "NOT picked AND attempts = 0", jdbc, registry);
            tasks("acting", "picked", jdbc, registry);
            tasks("failing", "attempts > 0", jdbc, registry);
        };
    }

    private static void tasks(
            String state, String condition, JdbcClient jdbc, MeterRegistry registry) {
        Gauge.builder(
                        "leasehold.plugin.tasks",
                        () ->
                                jdbc.sql("SELECT count(*) FROM plugin_task WHERE " + condition)
                                        .query(Long.class)
                                        .single())
                .description("Actions of plugins that are yet to be done")
                .tag("state", state)
                .register(registry);
    }
}
