package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.publishing.EventFeedFixture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/** The process of a node is killed repeatedly while it delivers. {@code -Dkills=20} is longer. */
@Timeout(600)
class KilledDeliveriesTest {

    private static final int KILLS = Integer.getInteger("kills", 2);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Test
    void all_events_arrive_despite_repeated_kills_of_the_process() throws Exception {
        try (WebhookFixture office = new WebhookFixture();
                WebhookReceiver receiver = new WebhookReceiver()) {
            office.begin();
            UUID hook = office.hook("p1", receiver.url());
            for (int kill = 0; kill < KILLS; kill++) {
                int delivered = receiver.messages.size();
                Process process = WebhookDeliveryProcess.start(office.database.url());
                try {
                    office.live("p1", 30, "a-" + kill, "b-" + kill, "c-" + kill);
                    EventFeedFixture.await(
                            () -> receiver.messages.size() > delivered + 20, TIMEOUT);
                } finally {
                    process.destroyForcibly().waitFor();
                }
                office.readSide.letTheOwnersTimePass();
            }
            office.start();
            office.awaitProcessed(hook);

            List<Long> first = new ArrayList<>();
            receiver.positions().stream().distinct().forEach(first::add);
            assertThat(first).isEqualTo(LongStream.rangeClosed(1, 90L * KILLS).boxed().toList());
            // Each kill may repeat the running message.
            assertThat(receiver.messages).hasSizeLessThanOrEqualTo(90 * KILLS + KILLS);
            assertThat(office.waiting(hook)).isZero();
        }
    }
}
