package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.leasehold.publishing.Publisher;

import java.nio.file.Path;
import java.time.Duration;

/** The process of a broker is killed while it receives events, {@code -Dkills=20} times. */
@Timeout(1200)
class KilledBrokerTest {

    private static final int KILLS = Integer.getInteger("kills", 1);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir private Path folder;

    @Test
    void all_events_arrive_despite_a_killed_broker() throws Exception {
        try (BrokerProcess broker = new BrokerProcess(folder);
                KafkaFixture world =
                        new KafkaFixture(KafkaConfiguration.EVENTS, broker.address())) {
            String topic = world.begin();
            Publisher publisher = world.publisher("a", topic);
            publisher.start();
            for (int kill = 0; kill < KILLS; kill++) {
                long sent = world.sent(topic);
                world.live("lease-" + kill + "-", 50, 100);
                KafkaFixture.await(() -> world.sent(topic) > sent, TIMEOUT);
                broker.kill();
                world.live("meanwhile-" + kill + "-", 50, 10);
                assertThat(world.published()).isLessThan(world.database.head());
                broker.startAgain();
                world.awaitPublished();
            }
            publisher.stop(TIMEOUT);

            assertThat(world.complete(topic)).hasSizeGreaterThanOrEqualTo(KILLS * 5502);
        }
    }
}
