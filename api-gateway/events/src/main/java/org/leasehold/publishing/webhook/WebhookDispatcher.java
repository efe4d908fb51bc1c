package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.webhook.DeliveryResult.Failed;
import org.leasehold.publishing.webhook.DeliveryResult.Gone;
import org.leasehold.publishing.webhook.DeliveryResult.Taken;
import org.leasehold.publishing.webhook.DeliveryTable.Waiting;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Batch;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.event.EventFeed.Question;
import org.leasehold.wire.event.EventDocuments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Delivers events to a receiver one by one, in order. An event that it does not accept waits for a
 * retry, with all later ones of the same lease; other events continue. A receiver that accepts
 * nothing gets only retries, and new events stay in the event log.
 */
final class WebhookDispatcher {

    /** The number of failed new events in a row that makes the receiver count as unavailable. */
    static final int UNAVAILABLE_AFTER_FAILURES = 10;

    /** A retry this late that succeeds shows that the receiver was unavailable, for any node. */
    private static final int LATE_RETRY_STEP = 3;

    /**
     * The maximum of waiting events of a webhook; the event log has no limit. If the receiver
     * accepts others, the event with the most attempts becomes a dead letter.
     */
    static final int MAX_WAITING = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(WebhookDispatcher.class);

    /** The number of events for which hidden properties are read once. */
    private static final int PAGE_SIZE = 100;

    private static final String RECEIVER_GONE = "The receiver answered 410, and wants no more.";

    private final WebhookConnections connections;
    private final WebhookOffsetTable webhooks;
    private final DeliveryTable deliveries;
    private final EventFeed feed;
    private final EventDocuments events;
    private final WebhookSender sender;
    private final RetryPauses pauses;

    /**
     * Consecutive failures of new events by webhook. Waiting events do not count, because the
     * receiver may never accept them. A node that takes over counts from zero.
     */
    private final Map<UUID, Integer> failures = new ConcurrentHashMap<>();

    WebhookDispatcher(
            WebhookTables tables,
            EventFeed feed,
            EventDocuments events,
            WebhookSender sender,
            RetryPauses pauses) {
        this.connections = tables.connections();
        this.webhooks = tables.webhooks();
        this.deliveries = tables.deliveries();
        this.feed = feed;
        this.events = events;
        this.sender = sender;
        this.pauses = pauses;
    }

    /**
     * Delivers retries and new events.
     *
     * @param goOn true to begin another message
     * @return true if there was anything to deliver
     */
    boolean deliverPending(UUID id, BooleanSupplier goOn) {
        boolean hasRetried = deliverRetries(id, goOn);
        return deliverNewEvents(id, goOn) || hasRetried;
    }

    private boolean deliverRetries(UUID id, BooleanSupplier goOn) {
        boolean hasDelivered = false;
        for (PendingDelivery letter : deliveries.findDue(id, PAGE_SIZE)) {
            Optional<EnabledWebhook> hook =
                    goOn.getAsBoolean() ? webhooks.webhook(id) : Optional.empty();
            if (hook.isEmpty() || !deliver(hook.get(), letter)) {
                return hasDelivered;
            }
            hasDelivered = true;
        }
        return hasDelivered;
    }

    /** Returns true if the next event may be delivered. */
    private boolean deliver(EnabledWebhook hook, PendingDelivery letter) {
        Optional<Entry> entry = findEntry(hook, letter.position());
        if (entry.isEmpty()) {
            deliveries.remove(hook.id(), letter);
            return true;
        }
        return switch (send(hook, entry.get(), formatFor(hook))) {
            case Taken _ -> {
                deliveries.remove(hook.id(), letter);
                recordSuccess(hook, letter.step());
                yield true;
            }
            case Gone _ -> switchOff(hook);
            case Failed failed -> {
                Duration pause = pauses.after(letter.step());
                deliveries.recordFailedRetry(hook, letter, failed, pause);
                yield canContinue(hook, letter.position(), failed, pause);
            }
        };
    }

    private Optional<Entry> findEntry(EnabledWebhook hook, long position) {
        return readEvents(new Question(position - 1, hook.audience(), Set.of(), 1))
                .entries()
                .stream()
                .filter(entry -> entry.position() == position)
                .findFirst();
    }

    private boolean deliverNewEvents(UUID id, BooleanSupplier goOn) {
        Optional<EnabledWebhook> found = webhooks.webhook(id);
        if (found.isEmpty()) {
            // A receiver that requested a pause stays unavailable.
            if (!webhooks.isSwitchedOn(id)) {
                failures.remove(id);
            }
            return false;
        }
        EnabledWebhook hook = found.get();
        Waiting waiting = deliveries.findWaiting(id);
        if (isUnavailable(id, waiting.count())) {
            return false;
        }
        Batch batch =
                readEvents(new Question(hook.position(), hook.audience(), hook.types(), PAGE_SIZE));
        long position = hook.position();
        long count = waiting.count();
        Function<Entry, byte[]> json = formatFor(hook);
        for (Entry entry : batch.entries()) {
            if (!goOn.getAsBoolean() || isUnavailable(id, count)) {
                return position > hook.position();
            }
            count -= makeRoom(id, count);
            if (count >= MAX_WAITING) {
                return position > hook.position();
            }
            if (waiting.streams().contains(DeliveryTable.stream(entry))) {
                if (!deliveries.addWaitingBehind(id, position, entry)) {
                    return true;
                }
                count++;
            } else {
                // Changes of the webhook apply from now on.
                Optional<EnabledWebhook> now =
                        webhooks.webhook(id).filter(other -> hasSameSelection(other, hook));
                if (now.isEmpty()) {
                    return position > hook.position();
                }
                Step step = deliver(now.get(), entry, position, json);
                if (step == Step.LAID_BY) {
                    waiting.streams().add(DeliveryTable.stream(entry));
                    count++;
                } else if (step == Step.STOP) {
                    return true;
                }
            }
            position = entry.position();
        }
        if (batch.through() > position && !webhooks.saveOffset(id, position, batch.through())) {
            return true;
        }
        return batch.through() > hook.position();
    }

    /** Returns true if only retries are sent. */
    private boolean isUnavailable(UUID id, long waiting) {
        return waiting > 0 && failures.getOrDefault(id, 0) >= UNAVAILABLE_AFTER_FAILURES;
    }

    /**
     * Makes room for a waiting event: those with the most attempts become dead letters. The next
     * event of such a stream still waits: it may be behind one that is due now, or is due itself.
     *
     * @return the number of new dead letters
     */
    private int makeRoom(UUID id, long waiting) {
        long excess = waiting - MAX_WAITING + 1;
        List<Long> given = excess <= 0 ? List.of() : deliveries.convertToDeadLetters(id, excess);
        given.forEach(
                position -> logDeadLetter(id, position, "An event was given up: too many wait"));
        return given.size();
    }

    private static boolean hasSameSelection(EnabledWebhook now, EnabledWebhook before) {
        return now.types().equals(before.types()) && now.everything() == before.everything();
    }

    /** The next step after an event. */
    private enum Step {
        GO_ON,
        LAID_BY,
        STOP
    }

    private Step deliver(
            EnabledWebhook hook, Entry entry, long from, Function<Entry, byte[]> json) {
        return switch (send(hook, entry, json)) {
            case Taken _ -> {
                recordSuccess(hook, 0);
                yield webhooks.saveOffset(hook.id(), from, entry.position())
                        ? Step.GO_ON
                        : Step.STOP;
            }
            case Gone _ -> {
                switchOff(hook);
                yield Step.STOP;
            }
            case Failed failed -> {
                Duration pause = pauses.after(0);
                boolean isStored = deliveries.addWaiting(hook, from, entry, failed, pause);
                failures.merge(hook.id(), 1, Integer::sum);
                boolean mayGoOn = canContinue(hook, entry.position(), failed, pause);
                if (!isStored || !mayGoOn) {
                    yield Step.STOP;
                }
                yield pause == null ? Step.GO_ON : Step.LAID_BY;
            }
        };
    }

    private DeliveryResult send(EnabledWebhook hook, Entry entry, Function<Entry, byte[]> json) {
        return sender.send(hook, entry.id(), connections.run(() -> json.apply(entry)));
    }

    private Function<Entry, byte[]> formatFor(EnabledWebhook hook) {
        return hook.everything() ? events.serializerForOperators() : events.serializerForProjects();
    }

    private Batch readEvents(Question question) {
        return connections.run(() -> feed.next(question));
    }

    private void recordSuccess(EnabledWebhook hook, int step) {
        Integer before = failures.remove(hook.id());
        boolean wasAway = before != null && before >= UNAVAILABLE_AFTER_FAILURES;
        if (wasAway || step >= LATE_RETRY_STEP) {
            deliveries.makeAllDue(hook.id());
        }
    }

    /** Returns true if the receiver may get the next event. */
    private boolean canContinue(
            EnabledWebhook hook, long position, Failed failed, @Nullable Duration pause) {
        if (pause == null) {
            logDeadLetter(hook.id(), position, "An event was given up after its last try");
        }
        return failed.peace() == null;
    }

    private static void logDeadLetter(UUID id, long position, String how) {
        LOG.atInfo().addKeyValue("webhook_id", id).addKeyValue("position", position).log(how);
    }

    /** Switches the webhook off. */
    private boolean switchOff(EnabledWebhook hook) {
        webhooks.switchOff(hook, RECEIVER_GONE);
        LOG.atInfo()
                .addKeyValue("webhook_id", hook.id())
                .log("A webhook is switched off: its receiver wants no more");
        return false;
    }
}
