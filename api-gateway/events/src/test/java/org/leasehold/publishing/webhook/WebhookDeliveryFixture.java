package org.leasehold.publishing.webhook;

import static org.leasehold.publishing.EventFeedFixture.await;
import static org.leasehold.publishing.webhook.WebhookFixture.WAIT_LIMIT;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** The database of a class of tests, and the receiver of each test. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WebhookDeliveryFixture {

    final WebhookFixture office = new WebhookFixture();
    WebhookReceiver receiver;

    @AfterAll
    void close() {
        office.close();
    }

    @BeforeEach
    void begin() {
        office.begin();
        receiver = new WebhookReceiver();
    }

    @AfterEach
    void end() {
        office.begin();
        receiver.close();
    }

    void awaitMessages(int count) {
        await(() -> receiver.messages.size() >= count, WAIT_LIMIT);
    }

    /** Returns the pauses before retries, in hours. */
    List<Double> pauses() {
        return office.database
                .client()
                .sql("SELECT extract(epoch FROM next_at - last_at) / 3600 FROM webhook_letter")
                .query(Double.class)
                .list();
    }

    static String[] leases(String name, int count) {
        return IntStream.range(0, count).mapToObj(lease -> name + lease).toArray(String[]::new);
    }

    static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
