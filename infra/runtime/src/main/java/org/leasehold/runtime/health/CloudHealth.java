package org.leasehold.runtime.health;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.CloudCheck;
import org.leasehold.resource.CloudCheck.FoundService;
import org.leasehold.resource.CloudCheck.Misconfigured;
import org.leasehold.resource.CloudCheck.Passed;
import org.leasehold.resource.CloudCheck.Unanswered;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Checks at the start if the settings fit the cloud, and repeats failed checks until they pass.
 * Settings that do not fit are a fault of this node, so it is not ready: its users would get
 * errors. A cloud that does not respond is no such fault: the node serves reads without it.
 *
 * <p>Until each check has a result, it is unknown if the settings fit. So the node is not ready,
 * but for {@link #FIRST_CHECK_TIMEOUT} at most.
 */
public final class CloudHealth implements HealthIndicator, SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(CloudHealth.class);

    private static final String UNCHECKED = "The cloud is being checked";

    /** The longest time that the node is not ready because a check has no result yet. */
    static final Duration FIRST_CHECK_TIMEOUT = Duration.ofSeconds(20);

    private final SortedMap<String, Supplier<CloudCheck>> checks;
    private final BackOff backOff;
    private final LongSupplier nanos;
    private final long startNanos;

    /** True once each check has had a result. */
    private volatile boolean checked;

    /** Results by name. The one thread that checks replaces the map and never changes it. */
    private volatile SortedMap<String, CloudCheck> results = new TreeMap<>();

    private volatile @Nullable Thread thread;

    /**
     * @param checks by the name of their subject
     * @param pauses the backoff between two attempts of a failed check
     */
    CloudHealth(Map<String, Supplier<CloudCheck>> checks, BackOff pauses) {
        this(checks, pauses, System::nanoTime);
    }

    /**
     * Creates a health indicator with the caller's clock.
     *
     * @param nanos nanoseconds since any fixed moment
     */
    CloudHealth(Map<String, Supplier<CloudCheck>> checks, BackOff pauses, LongSupplier nanos) {
        this.checks = new TreeMap<>(checks);
        this.backOff = pauses;
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
        this.checked = checks.isEmpty();
        checks.keySet().forEach(name -> results.put(name, new Unanswered(UNCHECKED, UNCHECKED)));
    }

    @Override
    public Health health() {
        SortedSet<String> wrong = new TreeSet<>();
        SortedSet<String> open = new TreeSet<>();
        results.values()
                .forEach(
                        result -> {
                            switch (result) {
                                case Passed _ -> {}
                                case Misconfigured(var reason, _) -> wrong.add(reason);
                                case Unanswered(var reason, _) -> open.add(reason);
                            }
                        });
        if (!wrong.isEmpty()) {
            return health(Status.DOWN, wrong);
        }
        if (!checked && nanos.getAsLong() - startNanos < FIRST_CHECK_TIMEOUT.toNanos()) {
            return health(Status.OUT_OF_SERVICE, Set.of(UNCHECKED));
        }
        return open.isEmpty()
                ? health(Status.UP, describeVersions())
                : health(Status.UNKNOWN, open);
    }

    /** Returns the microversions of services, without the addresses: every reader may see them. */
    private Collection<String> describeVersions() {
        SortedMap<String, String> versions = new TreeMap<>();
        for (CloudCheck result : results.values()) {
            if (result instanceof Passed(var services, _)) {
                services.forEach((type, service) -> versions.put(type, service.versions()));
            }
        }
        return versions.entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .map(each -> each.getKey() + " has " + each.getValue())
                .toList();
    }

    /** Puts the texts into the description, which is part of the status and visible to all. */
    private static Health health(Status status, Collection<String> texts) {
        return Health.status(new Status(status.getCode(), String.join("; ", texts))).build();
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("cloud-check").start(this::checkUntilAllPass);
    }

    @Override
    public void stop() {
        @Nullable Thread checking = thread;
        if (checking != null) {
            checking.interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        @Nullable Thread checking = thread;
        return checking != null && checking.isAlive();
    }

    /** Returns a phase before that of the HTTP server. */
    @Override
    public int getPhase() {
        return 0;
    }

    private void checkUntilAllPass() {
        BackOffExecution execution = backOff.start();
        SortedSet<String> left = new TreeSet<>(checks.keySet());
        try {
            while (!left.isEmpty()) {
                checkOnce(left);
                if (!left.isEmpty()) {
                    Thread.sleep(execution.nextBackOff());
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes checks that pass. Publishes each result at once: the next check may take long. */
    private void checkOnce(SortedSet<String> left) throws InterruptedException {
        SortedMap<String, CloudCheck> all = new TreeMap<>(results);
        SortedMap<String, CloudCheck> changed = new TreeMap<>();
        for (String name : left) {
            CloudCheck result = check(name);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (!result.equals(all.put(name, result))) {
                changed.put(name, result);
                results = new TreeMap<>(all);
            }
        }
        checked = true;
        left.removeIf(name -> all.get(name) instanceof Passed);
        log(changed);
    }

    private CloudCheck check(String name) {
        try {
            return Objects.requireNonNull(checks.get(name)).get();
        } catch (RuntimeException broken) {
            return new Unanswered("The check of " + name + " failed", broken.toString());
        }
    }

    /** Logs once all subjects with the same result, and only if the result has changed. */
    private static void log(SortedMap<String, CloudCheck> changed) {
        SortedMap<String, FoundService> services = new TreeMap<>();
        SortedSet<String> advice = new TreeSet<>();
        Map<CloudCheck, SortedSet<String>> names = new LinkedHashMap<>();
        changed.forEach(
                (name, result) -> {
                    if (result instanceof Passed(var ofPlugin, var ofOperator)) {
                        services.putAll(ofPlugin);
                        advice.addAll(ofOperator);
                    } else {
                        names.computeIfAbsent(result, _ -> new TreeSet<>()).add(name);
                    }
                });
        names.forEach(
                (result, who) -> {
                    switch (result) {
                        case Passed _ -> {}
                        case Misconfigured(var reason, var cause) ->
                                LOG.atError()
                                        .addKeyValue("for", who)
                                        .addKeyValue("cause", cause)
                                        .log("Not ready. {}", reason);
                        case Unanswered(var reason, var cause) ->
                                LOG.atWarn()
                                        .addKeyValue("for", who)
                                        .addKeyValue("cause", cause)
                                        .log("{}. The engine asks again", reason);
                    }
                });
        if (!services.isEmpty()) {
            LOG.atInfo()
                    .addKeyValue("services", services)
                    .log("The cloud has the services that plug-ins need");
        }
        advice.forEach(each -> LOG.info("Check the cloud's configuration. {}", each));
    }
}
