package org.leasehold.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.leasehold.command.CommandContext;
import org.leasehold.command.DenialLog;
import org.leasehold.inventory.ResourceRejection;
import org.leasehold.lease.LeaseRejection;
import org.leasehold.vocabulary.StoredNames;

import java.util.List;
import java.util.Locale;

/**
 * Counts denials by reason, with the reason's word in {@code /api/audit/denied}. Only that resource
 * names the callers.
 */
final class DenialCounters implements DenialLog {

    private final DenialLog delegate;
    private final MeterRegistry registry;

    DenialCounters(DenialLog kept, MeterRegistry registry) {
        this.delegate = kept;
        this.registry = registry;
        // Start at zero: for a query of growth, a counter that first appears at one has not grown.
        for (Why why : Why.values()) {
            counter(tagValue(why));
        }
        for (Class<?> kind : List.of(LeaseRejection.class, ResourceRejection.class)) {
            StoredNames.ofMembers(kind).values().forEach(this::counter);
        }
    }

    @Override
    public void record(Why why, String rule, String target, CommandContext context) {
        counter(tagValue(why)).increment();
        delegate.record(why, rule, target, context);
    }

    /** Counts a rejection, unless the engine sent the command itself. */
    void countRejection(Object rejection, CommandContext context) {
        if (context.user() != null) {
            counter(StoredNames.of(rejection.getClass())).increment();
        }
    }

    private static String tagValue(Why why) {
        return why.name().toLowerCase(Locale.ROOT);
    }

    private Counter counter(String why) {
        return Counter.builder("leasehold.denied")
                .description("Attempts of users that were denied, by reason")
                .tag("why", why)
                .register(registry);
    }
}
