package org.leasehold.publishing.webhook;

import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.FeedForm;
import org.leasehold.publishing.webhook.Letters.Waiting;
import org.leasehold.publishing.webhook.Outcome.Failed;
import org.leasehold.publishing.webhook.Outcome.Gone;
import org.leasehold.publishing.webhook.Outcome.Taken;
import org.leasehold.query.Feed;
import org.leasehold.query.Feed.Batch;
import org.leasehold.query.Feed.Entry;
import org.leasehold.query.Feed.Question;
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
import java.util.random.RandomGenerator;

/**
 * Delivers events to a receiver one by one, in order. An event that it does not accept waits for a
 * retry, with all later ones of the same lease; other events continue. A receiver that accepts
 * nothing gets only retries, and new events stay in the event log.
 */
final class Courier {

    /** The number of failed new events in a row that makes the receiver count as unavailable. */
    static final int A_FEW = 10;

    /** A retry this late that succeeds shows that the receiver was unavailable, for any node. */
    private static final int LATE = 3;

    /**
     * The maximum of waiting events of a webhook; the event log has no limit. If the receiver
     * accepts others, the event with the most attempts becomes a dead letter.
     */
    static final int MOST_WAITING = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

    /** The number of events for which hidden properties are read once. */
    private static final int PAGE = 100;

    private static final String RECEIVER_GONE = "The receiver answered 410, and wants no more.";

    /** Varies pauses by a tenth, so that events that failed together are not retried together. */
    private static final double SPREAD = 0.1;

    private static final Duration LONGEST_PAUSE = Duration.ofDays(7);

    private final Letters letters;
    private final Feed feed;
    private final FeedForm form;
    private final Messenger messenger;
    private final List<Duration> pauses;
    private final RandomGenerator random;

    /**
     * Consecutive failures of new events by webhook. Waiting events do not count, because the
     * receiver may never accept them. A node that takes over counts from zero.
     */
    private final Map<UUID, Integer> failures = new ConcurrentHashMap<>();

    Courier(
            Letters letters,
            Feed feed,
            FeedForm form,
            Messenger messenger,
            List<Duration> pauses,
            RandomGenerator random) {
        this.letters = letters;
        this.feed = feed;
        this.form = form;
        this.messenger = messenger;
        this.pauses = List.copyOf(pauses);
        this.random = random;
    }

    /**
     * Delivers retries and new events.
     *
     * @param goOn true to begin another message
     * @return true if there was anything to deliver
     */
    boolean work(UUID id, BooleanSupplier goOn) {
        boolean some = tellLetters(id, goOn);
        return tellEvents(id, goOn) || some;
    }

    private boolean tellLetters(UUID id, BooleanSupplier goOn) {
        boolean some = false;
        for (Letter letter : letters.due(id, PAGE)) {
            Optional<Hook> hook = goOn.getAsBoolean() ? letters.hook(id) : Optional.empty();
            if (hook.isEmpty() || !tell(hook.get(), letter)) {
                return some;
            }
            some = true;
        }
        return some;
    }

    /** Returns true if the next event may be delivered. */
    private boolean tell(Hook hook, Letter letter) {
        Optional<Entry> entry = entry(hook, letter.position());
        if (entry.isEmpty()) {
            letters.remove(hook.id(), letter);
            return true;
        }
        return switch (send(hook, entry.get(), form(hook))) {
            case Taken _ -> {
                letters.remove(hook.id(), letter);
                succeeded(hook, letter.step());
                yield true;
            }
            case Gone _ -> gone(hook);
            case Failed failed -> {
                Duration pause = pause(letter.step());
                letters.failedAgain(hook, letter, failed, pause);
                yield mayGoOn(hook, letter.position(), failed, pause);
            }
        };
    }

    private Optional<Entry> entry(Hook hook, long position) {
        return next(new Question(position - 1, hook.audience(), Set.of(), 1)).entries().stream()
                .filter(entry -> entry.position() == position)
                .findFirst();
    }

    private boolean tellEvents(UUID id, BooleanSupplier goOn) {
        Optional<Hook> found = letters.hook(id);
        if (found.isEmpty()) {
            // A receiver that requested a pause stays unavailable.
            if (!letters.isSwitchedOn(id)) {
                failures.remove(id);
            }
            return false;
        }
        Hook hook = found.get();
        Waiting waiting = letters.waiting(id);
        if (isAway(id, waiting.count())) {
            return false;
        }
        Batch batch = next(new Question(hook.position(), hook.audience(), hook.types(), PAGE));
        long position = hook.position();
        long count = waiting.count();
        Function<Entry, byte[]> told = form(hook);
        for (Entry entry : batch.entries()) {
            if (!goOn.getAsBoolean() || isAway(id, count)) {
                return position > hook.position();
            }
            count -= makeRoom(id, count);
            if (count >= MOST_WAITING) {
                return position > hook.position();
            }
            if (waiting.streams().contains(Letters.stream(entry))) {
                if (!letters.layBehind(id, position, entry)) {
                    return true;
                }
                count++;
            } else {
                // Changes of the webhook apply from now on.
                Optional<Hook> now = letters.hook(id).filter(other -> isSame(other, hook));
                if (now.isEmpty()) {
                    return position > hook.position();
                }
                Step step = tell(now.get(), entry, position, told);
                if (step == Step.LAID_BY) {
                    waiting.streams().add(Letters.stream(entry));
                    count++;
                } else if (step == Step.STOP) {
                    return true;
                }
            }
            position = entry.position();
        }
        if (batch.through() > position && !letters.note(id, position, batch.through())) {
            return true;
        }
        return batch.through() > hook.position();
    }

    /** Returns true if only retries are sent. */
    private boolean isAway(UUID id, long waiting) {
        return waiting > 0 && failures.getOrDefault(id, 0) >= A_FEW;
    }

    /**
     * Makes room for a waiting event: those with the most attempts become dead letters. The next
     * event of such a stream still waits: it may be behind one that is due now, or is due itself.
     *
     * @return the number of new dead letters
     */
    private int makeRoom(UUID id, long waiting) {
        long excess = waiting - MOST_WAITING + 1;
        List<Long> given = excess <= 0 ? List.of() : letters.giveUp(id, excess);
        given.forEach(position -> givenUp(id, position, "An event was given up: too many wait"));
        return given.size();
    }

    private static boolean isSame(Hook now, Hook before) {
        return now.types().equals(before.types()) && now.everything() == before.everything();
    }

    /** The next step after an event. */
    private enum Step {
        GO_ON,
        LAID_BY,
        STOP
    }

    private Step tell(Hook hook, Entry entry, long from, Function<Entry, byte[]> told) {
        return switch (send(hook, entry, told)) {
            case Taken _ -> {
                succeeded(hook, 0);
                yield letters.note(hook.id(), from, entry.position()) ? Step.GO_ON : Step.STOP;
            }
            case Gone _ -> {
                gone(hook);
                yield Step.STOP;
            }
            case Failed failed -> {
                Duration pause = pause(0);
                boolean noted = letters.layBy(hook, from, entry, failed, pause);
                failures.merge(hook.id(), 1, Integer::sum);
                boolean mayGoOn = mayGoOn(hook, entry.position(), failed, pause);
                if (!noted || !mayGoOn) {
                    yield Step.STOP;
                }
                yield pause == null ? Step.GO_ON : Step.LAID_BY;
            }
        };
    }

    private Outcome send(Hook hook, Entry entry, Function<Entry, byte[]> told) {
        return messenger.send(hook, entry.id(), letters.limited(() -> told.apply(entry)));
    }

    private Function<Entry, byte[]> form(Hook hook) {
        return hook.everything() ? form.toOperators() : form.toProjects();
    }

    /** Returns the shortest pause before the next attempt; null after the last attempt. */
    private @Nullable Duration pause(int step) {
        if (step >= pauses.size()) {
            return null;
        }
        double factor = 1 + SPREAD * (2 * random.nextDouble() - 1);
        Duration pause = Duration.ofMillis((long) (pauses.get(step).toMillis() * factor));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private Batch next(Question question) {
        return letters.limited(() -> feed.next(question));
    }

    private void succeeded(Hook hook, int step) {
        Integer before = failures.remove(hook.id());
        boolean wasAway = before != null && before >= A_FEW;
        if (wasAway || step >= LATE) {
            letters.hasten(hook.id());
        }
    }

    /** Returns true if the receiver may get the next event. */
    private boolean mayGoOn(Hook hook, long position, Failed failed, @Nullable Duration pause) {
        if (pause == null) {
            givenUp(hook.id(), position, "An event was given up after its last try");
        }
        return failed.peace() == null;
    }

    private static void givenUp(UUID id, long position, String how) {
        LOG.atInfo().addKeyValue("webhook_id", id).addKeyValue("position", position).log(how);
    }

    /** Switches the webhook off. */
    private boolean gone(Hook hook) {
        letters.switchOff(hook, RECEIVER_GONE);
        LOG.atInfo()
                .addKeyValue("webhook_id", hook.id())
                .log("A webhook is switched off: its receiver wants no more");
        return false;
    }
}
