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
 * Tells a receiver what happened: one event after the other, in order. What it does not take lies
 * by with all that follows of the same lease, and the rest goes on. A receiver that takes nothing
 * at all is sent nothing but what lies by, and the rest waits where it is.
 */
final class Courier {

    /** So many new events in a row, and it is the receiver's fault. */
    static final int A_FEW = 10;

    /** What is taken at so late a try shows that the receiver was away, whoever told it before. */
    private static final int LATE = 3;

    /**
     * What lies by of a webhook has an end; the journal has none. Of a receiver that takes others
     * it is what was tried most that has to go.
     */
    static final int MOST_WAITING = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

    /** For so many what is hidden is looked up once. */
    private static final int PAGE = 100;

    private static final String RECEIVER_GONE = "The receiver answered 410, and wants no more.";

    /** So that not all come at once that failed at once: by a tenth more or less. */
    private static final double SPREAD = 0.1;

    private static final Duration LONGEST_PAUSE = Duration.ofDays(7);

    private final Letters letters;
    private final Feed feed;
    private final FeedForm form;
    private final Messenger messenger;
    private final List<Duration> pauses;
    private final RandomGenerator random;

    /**
     * Of new events, in a row, by webhook; what lies by may be what its receiver never takes.
     * Whoever goes on elsewhere finds out for themselves.
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
     * Tells what there is to be told.
     *
     * @param goOn whether to begin with another message
     * @return whether there was anything
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

    /** Returns whether the next may be told. */
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
            // One that wants to be left alone is as much away as before.
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
                // What was changed meanwhile holds from now on.
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

    /** Whether only what lies by is tried. */
    private boolean isAway(UUID id, long waiting) {
        return waiting > 0 && failures.getOrDefault(id, 0) >= A_FEW;
    }

    /**
     * Gives up what was tried most, if nothing more may lie by otherwise. What comes next of the
     * same stream lies by nevertheless: it may lie behind what has become due, or is due itself.
     *
     * @return how much
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

    /** What to do after an event. */
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

    /** How long to wait at least for the next try; null if that was the last. */
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

    /** Returns whether the receiver may be told the next. */
    private boolean mayGoOn(Hook hook, long position, Failed failed, @Nullable Duration pause) {
        if (pause == null) {
            givenUp(hook.id(), position, "An event was given up after its last try");
        }
        return failed.peace() == null;
    }

    private static void givenUp(UUID id, long position, String how) {
        LOG.atInfo().addKeyValue("webhook_id", id).addKeyValue("position", position).log(how);
    }

    /** Nothing more is told. */
    private boolean gone(Hook hook) {
        letters.switchOff(hook, RECEIVER_GONE);
        LOG.atInfo()
                .addKeyValue("webhook_id", hook.id())
                .log("A webhook is switched off: its receiver wants no more");
        return false;
    }
}
