package org.leasehold.publishing.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.leasehold.publishing.DocumentsFixture;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.readmodel.lease.ScheduledEventView;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/** The order of notifications if RabbitMQ confirms them late, or rejects one. */
@Timeout(60)
class RabbitConnectionTest {

    private static final LeaseView LEASE =
            ScriptedLeases.lease(
                    LeaseStatus.ACTIVE,
                    ScheduledEventView.Status.DONE,
                    ScheduledEventView.Status.UNDONE,
                    ScheduledEventView.Status.UNDONE);

    private final ScriptedLeases life = new ScriptedLeases();
    private final Entry first = life.happens("LeaseRequested", LEASE);
    private final Entry second = life.happens("LeaseEndAnnounced", LEASE);

    /** The numbers of all messages sent to RabbitMQ. */
    private final BlockingQueue<Long> sent = new LinkedBlockingQueue<>();

    private long next = 1;
    private @Nullable ConfirmListener confirms;
    private RabbitConnection line;

    @BeforeEach
    void connect() throws IOException {
        line =
                new RabbitConnection(
                        stub(
                                Connection.class,
                                (method, _) ->
                                        method.equals("createChannel")
                                                ? stub(Channel.class, this::ask)
                                                : null),
                        "openstack",
                        "notifications.info",
                        new NotificationMapper(life),
                        new OsloEnvelope("blazar.lease", DocumentsFixture.blazarLeases()));
        line.begin();
    }

    private @Nullable Object ask(String method, @Nullable Object[] arguments) {
        return switch (method) {
            case "addConfirmListener" -> {
                confirms = (ConfirmListener) arguments[0];
                yield null;
            }
            case "getNextPublishSeqNo" -> next;
            case "basicPublish" -> {
                sent.add(next++);
                yield null;
            }
            default -> null;
        };
    }

    /** The result of a stub. */
    private interface Answer {

        @Nullable Object to(String method, @Nullable Object[] arguments);
    }

    private static <T> T stub(Class<T> type, Answer answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) ->
                                answer.to(
                                        method.getName(),
                                        arguments == null ? new Object[0] : arguments)));
    }

    @Test
    void a_notification_waits_until_the_previous_one_of_the_lease_is_confirmed() throws Exception {
        CompletableFuture<Void> both = sendBoth();
        assertThat(sent.take()).isEqualTo(1);
        assertThat(line.await(Duration.ZERO)).isEqualTo(1);
        assertThat(sent).isEmpty();

        Objects.requireNonNull(confirms).handleAck(1, false);

        assertThat(sent.take()).isEqualTo(2);
        both.get();
        assertThat(line.await(Duration.ZERO)).isEqualTo(1);
        Objects.requireNonNull(confirms).handleAck(2, true);
        assertThat(line.await(Duration.ZERO)).isZero();
    }

    @Test
    void a_notification_after_a_refused_one_is_not_sent() throws Exception {
        CompletableFuture<Void> both = sendBoth();
        assertThat(sent.take()).isEqualTo(1);

        Objects.requireNonNull(confirms).handleNack(1, false);

        assertThatThrownBy(both::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("RabbitMQ refuses a notification");
        assertThat(sent).isEmpty();
        assertThatThrownBy(() -> line.await(Duration.ZERO))
                .hasRootCauseMessage("RabbitMQ refuses a notification");
    }

    private CompletableFuture<Void> sendBoth() {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        line.send(first);
                        line.send(second);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
    }
}
