package org.leasehold.publishing.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.leasehold.publishing.Publisher;
import org.leasehold.topic.TopicVerifier;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * The process of a publisher is killed repeatedly while it publishes. {@code -Dkills=20} is 100,000
 * events, and takes minutes.
 */
@Timeout(1200)
class KilledPublisherTest {

    private static final int KILLS = Integer.getInteger("kills", 3);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Test
    void all_events_arrive_despite_repeated_kills_of_the_process(TestReporter reporter)
            throws Exception {
        try (KafkaFixture world = new KafkaFixture()) {
            String topic = world.begin();
            Random random = new Random(KILLS);
            for (int kill = 0; kill < KILLS; kill++) {
                beginAndKill(world, topic, "lease-" + kill + "-", random.nextInt(200));
            }
            Publisher last = world.publisher("last", topic);
            last.start();
            world.awaitPublished();
            last.stop(TIMEOUT);

            assertThat(world.complete(topic)).hasSizeGreaterThan(KILLS * 5000);
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            assertThat(verify(world.brokers, topic, output)).as(output.toString(UTF_8)).isZero();
            reporter.publishEntry(output.toString(UTF_8));
        }
    }

    /** Verifies the topic as a reader would; writes the reader's output. */
    private static int verify(String brokers, String topic, ByteArrayOutputStream output) {
        PrintStream out = new PrintStream(output, true, UTF_8);
        return TopicVerifier.run(
                List.of("--bootstrap-servers=" + brokers, "--topic=" + topic), out, out);
    }

    /** Kills a publisher after the first of 5,000 more events has arrived. */
    private static void beginAndKill(
            KafkaFixture world, String topic, String prefix, int millisLater) throws Exception {
        long sent = world.sent(topic);
        Process process = PublishingProcess.start(world.database.url(), world.brokers, topic);
        try {
            world.live(prefix, 50, 100);
            KafkaFixture.await(() -> world.sent(topic) > sent, TIMEOUT);
            Thread.sleep(millisLater);
        } finally {
            process.destroyForcibly().waitFor();
        }
        world.letTheOwnersTimePass();
    }
}
