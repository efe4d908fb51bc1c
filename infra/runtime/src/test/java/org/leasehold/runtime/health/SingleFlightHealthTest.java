package org.leasehold.runtime.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.history.VitalThreads;
import org.leasehold.runtime.node.NodeSettings;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.jdbc.autoconfigure.health.DataSourceHealthContributorAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

@Timeout(60)
class SingleFlightHealthTest {

    private static final int CLIENTS = 50;

    private final Semaphore looking = new Semaphore(0);
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger maxAtOnce = new AtomicInteger();

    private final SingleFlightHealth health =
            new SingleFlightHealth(
                    () -> {
                        maxAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                        looking.acquireUninterruptibly();
                        atOnce.decrementAndGet();
                        return Health.up().withDetail("look", looks.incrementAndGet()).build();
                    });

    private Thread ask(List<Object> answers) {
        return Thread.startVirtualThread(
                () -> {
                    Object look = health.health().getDetails().get("look");
                    synchronized (answers) {
                        answers.add(look);
                    }
                });
    }

    @Test
    void callers_during_a_check_share_the_next_check() throws InterruptedException {
        List<Object> first = new ArrayList<>();
        List<Object> others = new ArrayList<>();
        Thread one = ask(first);
        while (atOnce.get() == 0) {
            Thread.onSpinWait();
        }
        List<Thread> asking = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            asking.add(ask(others));
        }
        for (Thread thread : asking) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }

        looking.release(1 + CLIENTS);
        one.join();
        for (Thread thread : asking) {
            thread.join();
        }

        assertThat(first).containsExactly(1);
        assertThat(others).hasSize(CLIENTS).containsOnly(2);
        assertThat(maxAtOnce).hasValue(1);
    }

    @Test
    void the_database_health_uses_a_single_flight_check() {
        new ApplicationContextRunner()
                .withBean(DataSource.class, DriverManagerDataSource::new)
                .withBean(VitalThreads.class, () -> Set::of)
                .withBean(
                        NodeSettings.class,
                        () -> new NodeSettings(null, EnumSet.allOf(NodeSettings.Role.class)))
                .withUserConfiguration(ProbeConfiguration.class)
                .withConfiguration(
                        AutoConfigurations.of(DataSourceHealthContributorAutoConfiguration.class))
                .run(
                        engine ->
                                assertThat(engine.getBeansOfType(HealthContributor.class).values())
                                        .extracting(contributor -> (Object) contributor.getClass())
                                        .containsExactlyInAnyOrder(
                                                SingleFlightHealth.class,
                                                VitalThreadHealth.class,
                                                WriteHealth.class));
    }

    @Test
    void sequential_calls_each_run_a_check() {
        looking.release(2);

        assertThat(health.health().getDetails()).containsEntry("look", 1);
        assertThat(health.health().getDetails()).containsEntry("look", 2);
    }
}
