package org.leasehold.gateway.v1;

import org.leasehold.command.IdempotentResponses;
import org.springframework.context.annotation.Bean;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

/** The beans of an engine in memory, at one instant. The servers of tests import them. */
// No @Configuration, which a scan would find: the whole product has all of this already.
public class InMemoryEngineBeans {

    /** Half a minute past, so that the minute and the instant differ. */
    public static final Instant NOW = Instant.parse("2026-11-21T00:33:30Z");

    @Bean
    Clock clock() {
        return Clock.fixed(NOW, ZoneOffset.UTC);
    }

    @Bean
    InMemoryEngine engine(Clock clock, FakeCloudPlugins plugins) {
        return new InMemoryEngine(clock, plugins);
    }

    @Bean
    IdempotentResponses keptAnswers(InMemoryEngine engine) {
        return engine.answers();
    }

    @Bean
    InMemoryLeaseViews leases(InMemoryEngine engine) {
        return engine.leases();
    }

    @Bean
    InMemoryResourceViews resources(InMemoryEngine engine) {
        return engine.resources();
    }

    @Bean
    InMemoryPast past(InMemoryEngine engine) {
        return engine.past();
    }
}
