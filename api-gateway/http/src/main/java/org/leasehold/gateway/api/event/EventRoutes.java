package org.leasehold.gateway.api.event;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.event.EventResponses.EventPage;
import org.leasehold.gateway.api.event.EventWaiters.Slot;
import org.leasehold.gateway.api.http.PageSize;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.api.query.AnsweredFrom;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.CallerRevalidation;
import org.leasehold.readmodel.event.EventFeed;
import org.leasehold.readmodel.event.EventFeed.Batch;
import org.leasehold.readmodel.event.EventFeed.Entry;
import org.leasehold.readmodel.event.EventFeed.Question;
import org.leasehold.wire.event.CloudEvent;
import org.leasehold.wire.event.EventRedaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The feed of all events: page by page, or as a stream. */
@RestController
@Tag(name = "events")
class EventRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(EventRoutes.class);

    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    /** The interval of empty events, which show all proxies that both ends are alive. */
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(15);

    private static final Duration REVALIDATION_INTERVAL = Duration.ofMinutes(1);
    private static final int STREAM_BATCH_SIZE = 100;

    private static final MediaType TEXT = new MediaType("text", "plain", StandardCharsets.UTF_8);

    /** The largest number that {@link #POSITION_PATTERN} allows. */
    private static final long MAX_POSITION = 999_999_999_999_999_999L;

    private static final Pattern POSITION_PATTERN = Pattern.compile("[0-9]{1,18}");
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final EventFeed feed;
    private final ReachedPositionCheck positionCheck;
    private final EventTypeNames eventTypes;
    private final EventWaiters waiters;
    private final EventRedaction redaction;
    private final CallerRevalidation callerRevalidation;
    private final JsonMapper json;

    EventRoutes(
            EventFeed feed,
            ReachedPositionCheck positionCheck,
            EventTypeNames eventTypes,
            EventWaiters waiters,
            EventRedaction redaction,
            CallerRevalidation callerRevalidation,
            JsonMapper json) {
        this.feed = feed;
        this.positionCheck = positionCheck;
        this.eventTypes = eventTypes;
        this.waiters = waiters;
        this.redaction = redaction;
        this.callerRevalidation = callerRevalidation;
        this.json = json;
    }

    @Operation(
            operationId = "listEvents",
            summary = "List events in order, or wait for new ones",
            description =
                    "Each event is a CloudEvent. If you continue after"
                            + " next, you miss no event and get none twice. Members"
                            + " of a project get events of its leases, billers of all"
                            + " leases, planners of resources, auditors and"
                            + " administrators all events. With Accept:"
                            + " text/event-stream, the response is a stream of the"
                            + " same events. Their id is the position, so a client"
                            + " that reconnects continues where it was.")
    @AnsweredFrom(EventFeed.READ_MODEL)
    @GetMapping("/api/events")
    DeferredResult<EventPage> list(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "after", defaultValue = "0") @Min(0) @Max(MAX_POSITION) long after,
            @RequestParam(name = "types", required = false) @Nullable String types,
            @RequestParam(name = "limit", defaultValue = "100") @Min(1) @Max(PageSize.MAX)
                    int limit,
            @RequestParam(name = "wait", defaultValue = "PT0S") Duration wait) {
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0) {
            throw new ProblemException(
                    Problem.ofField("wait", "must be between nothing and " + MAX_WAIT));
        }
        positionCheck.requireReached(after);
        Question question =
                new Question(after, EventAccess.audience(caller), parseTypes(types), limit);
        // The timeout of the server must be longer than ours.
        var answer = new DeferredResult<EventPage>(MAX_WAIT.multipliedBy(2).toMillis());
        if (wait.isZero()) {
            answer.setResult(page(feed.next(question), caller));
            return answer;
        }
        Slot slot =
                waiters.startWaiter(
                        caller.user(),
                        held -> completeResult(answer, held, question, wait, caller));
        answer.onCompletion(slot::release);
        return answer;
    }

    private void completeResult(
            DeferredResult<EventPage> answer,
            Slot slot,
            Question question,
            Duration wait,
            Caller caller) {
        try {
            answer.setResult(page(waiters.await(slot, question, wait), caller));
        } catch (InterruptedException unheardOf) {
            Thread.currentThread().interrupt();
            answer.setErrorResult(unheardOf);
        } catch (RuntimeException e) {
            // The caller gets the same error as without a wait.
            answer.setErrorResult(e);
        }
    }

    private EventPage page(Batch batch, Caller caller) {
        UnaryOperator<Map<String, @Nullable Object>> seen = EventAccess.redactor(redaction, caller);
        return new EventPage(
                batch.entries().stream().map(entry -> redaction.toCloudEvent(entry, seen)).toList(),
                batch.through());
    }

    @Hidden
    @GetMapping(path = "/api/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter stream(
            @AuthenticationPrincipal Caller caller,
            @RequestParam(name = "after", defaultValue = "0") @Min(0) @Max(MAX_POSITION) long after,
            @RequestParam(name = "types", required = false) @Nullable String types,
            @RequestHeader(name = LAST_EVENT_ID, required = false) @Nullable String last,
            HttpServletRequest request) {
        long from = last == null ? after : parsePosition(last);
        positionCheck.requireReached(from);
        Question question =
                new Question(
                        from, EventAccess.audience(caller), parseTypes(types), STREAM_BATCH_SIZE);
        // A failure to read is an error response, and not a stream that ends at once.
        feed.next(question);
        BooleanSupplier stillThey = callerRevalidation.of(caller, request);
        SseEmitter emitter = new SseEmitter(0L);
        Slot slot =
                waiters.startWaiter(
                        caller.user(),
                        held -> streamEvents(emitter, held, question, caller, stillThey));
        emitter.onCompletion(slot::release);
        return emitter;
    }

    private void streamEvents(
            SseEmitter emitter,
            Slot slot,
            Question question,
            Caller caller,
            BooleanSupplier stillThey) {
        try {
            emitter.send(SseEmitter.event().reconnectTime(1000).comment("events"));
            Question next = question;
            while (slot.isHeld() && stillThey.getAsBoolean()) {
                next =
                        streamUntilRevalidation(
                                emitter, slot, next, EventAccess.redactor(redaction, caller));
            }
        } catch (InterruptedException unheardOf) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException broken) {
            // The client is gone, or events cannot be read: a client that reconnects continues, or
            // gets the error.
            LOG.atDebug().setCause(broken).log("A stream of events ends");
        } finally {
            emitter.complete();
        }
    }

    /** Sends events until the next check of the identity; returns the next query. */
    private Question streamUntilRevalidation(
            SseEmitter emitter,
            Slot slot,
            Question question,
            UnaryOperator<Map<String, @Nullable Object>> seen)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + REVALIDATION_INTERVAL.toNanos();
        Question next = question;
        while (slot.isHeld() && System.nanoTime() < end) {
            Batch batch = waiters.await(slot, next, HEARTBEAT_INTERVAL);
            for (Entry entry : batch.entries()) {
                CloudEvent event = redaction.toCloudEvent(entry, seen);
                emitter.send(
                        SseEmitter.event()
                                .id(event.position())
                                .data(json.writeValueAsString(event), TEXT));
            }
            if (batch.entries().isEmpty()) {
                // An empty event with the position: a client that reconnects continues from there.
                emitter.send(SseEmitter.event().id(Long.toString(batch.through())));
            }
            next = next.from(batch.through());
        }
        return next;
    }

    private Set<String> parseTypes(@Nullable String types) {
        return types == null
                ? Set.of()
                : Arrays.stream(types.split(",", -1))
                        .map(type -> eventTypes.resolve("types", type))
                        .collect(toUnmodifiableSet());
    }

    private static long parsePosition(String header) {
        if (!POSITION_PATTERN.matcher(header).matches()) {
            throw new ProblemException(Problem.ofField(LAST_EVENT_ID, "must be a position"));
        }
        return Long.parseLong(header);
    }
}
