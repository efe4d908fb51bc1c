package org.leasehold.gateway.api;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.gateway.api.EventTelling.Told;
import org.leasehold.lease.Fault;
import org.leasehold.query.AuditTrail.Entry;
import org.leasehold.query.CloudCalls.CloudCall;
import org.leasehold.query.DeniedAttempts.DeniedAttempt;
import org.leasehold.query.OriginErasures.OriginErasure;
import org.leasehold.query.SubscriptionChanges.Done;
import org.leasehold.query.SubscriptionChanges.SubscriptionChange;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** What auditors are told. */
final class AuditAnswers {

    private AuditAnswers() {}

    /** Calls of plugins, newest first. */
    record CallPage(List<Call> calls, @Nullable String next) {}

    /**
     * A plugin's action, tried once.
     *
     * @param faultKind nothing if it is done
     */
    record Call(
            @Nullable UUID leaseId,
            @Nullable UUID reservationId,
            @Nullable Long resourceId,
            @Nullable String kind,
            @Nullable String name,
            String action,
            int attempt,
            Instant began,
            Instant ended,
            @Nullable String faultKind,
            @Nullable String fault,
            String requestId,
            String causation) {

        static Call of(CloudCall call) {
            AimedAt aim = AimedAt.of(call.target());
            Fault fault = call.fault();
            return new Call(
                    aim.leaseId(),
                    aim.reservationId(),
                    aim.resourceId(),
                    aim.kind(),
                    aim.name(),
                    aim.action(),
                    call.attempt(),
                    call.began(),
                    call.ended(),
                    fault == null ? null : AimedAt.word(fault.kind()),
                    fault == null ? null : fault.message(),
                    call.requestId(),
                    call.causation());
        }
    }

    /** Attempts in vain, newest first. */
    record DeniedPage(List<Denied> attempts, @Nullable String next) {}

    /**
     * An attempt in vain, or several equal ones within a minute.
     *
     * @param address the one that the first request came from; nothing if it is not kept any more
     * @param agent what its client called itself; nothing as above, or if it did not
     */
    record Denied(
            Instant at,
            Instant lastAt,
            long times,
            String userId,
            String projectId,
            List<String> roles,
            String attempt,
            String target,
            String why,
            String requestId,
            @Nullable String address,
            @Nullable String agent) {

        static Denied of(DeniedAttempt attempt) {
            RequestOrigin origin = attempt.origin();
            return new Denied(
                    attempt.at(),
                    attempt.lastAt(),
                    attempt.times(),
                    attempt.user().value(),
                    attempt.project().value(),
                    attempt.roles(),
                    attempt.attempt(),
                    attempt.target(),
                    attempt.why(),
                    attempt.requestId(),
                    origin == null ? null : origin.addressText(),
                    origin == null ? null : origin.agent());
        }
    }

    /** How many requests it is not known any more of where they came from. */
    record Erased(long erased) {}

    /** Erasures, newest first. */
    record ErasurePage(List<Erasure> erasures, @Nullable String next) {}

    /**
     * Somebody had it erased from where requests came.
     *
     * @param reason their own words
     * @param ofUserId whose requests it was about; nothing for everybody's
     * @param before only requests before this; nothing for all until then
     * @param erased of how many requests
     */
    record Erasure(
            Instant at,
            String userId,
            String projectId,
            String requestId,
            @Nullable String reason,
            @Nullable String ofUserId,
            @Nullable Instant before,
            long erased) {

        static Erasure of(OriginErasure erasure) {
            return new Erasure(
                    erasure.at(),
                    erasure.user().value(),
                    erasure.project().value(),
                    erasure.requestId(),
                    erasure.reason(),
                    erasure.ofUser(),
                    erasure.before(),
                    erasure.erased());
        }
    }

    /** What was done to subscriptions, newest first. */
    record ChangedSubscriptionPage(List<ChangedSubscription> changes, @Nullable String next) {}

    /**
     * Something that was done to a webhook, or to a calendar's feed.
     *
     * @param projectId whose the subscription is
     * @param before the fields that were changed, as they were; nothing if it was made
     * @param after the same, as they were from then on; nothing if it was removed
     * @param userId nothing for what the engine did
     * @param userProjectId the project that the user acted for
     * @param requestId nothing for what the engine did
     * @param address the one that the request came from; nothing if it is not kept any more
     * @param agent what its client called itself; nothing as above, or if it did not
     * @param reason their own words
     */
    record ChangedSubscription(
            Instant at,
            String kind,
            UUID subscriptionId,
            String projectId,
            String action,
            @Nullable Map<String, Object> before,
            @Nullable Map<String, Object> after,
            @Nullable String userId,
            @Nullable String userProjectId,
            List<String> roles,
            String authentication,
            @Nullable String requestId,
            @Nullable String address,
            @Nullable String agent,
            @Nullable String reason) {

        static ChangedSubscription of(SubscriptionChange change) {
            Done done = change.done();
            RequestOrigin origin = change.origin();
            return new ChangedSubscription(
                    change.at(),
                    AimedAt.word(done.kind()),
                    done.subscription(),
                    done.project().value(),
                    AimedAt.word(done.action()),
                    done.before(),
                    done.after(),
                    change.user() == null ? null : change.user().value(),
                    change.actingFor() == null ? null : change.actingFor().value(),
                    change.roles(),
                    change.authentication(),
                    change.requestId(),
                    origin == null ? null : origin.addressText(),
                    origin == null ? null : origin.agent(),
                    change.reason());
        }
    }

    /** Events that were looked for, newest first. */
    record AuditEventPage(List<AuditEvent> events, @Nullable String next) {}

    /**
     * An event, and where it came from.
     *
     * @param subject the id of what it happened to
     * @param projectId the project of its lease; {@code -} where it is of none
     * @param userId nothing for what the engine did by itself
     * @param userProjectId the project that the user acted for
     * @param address the one that its request came from; nothing for what the engine began by
     *     itself, and what is not kept any more
     * @param agent what the client called itself; nothing as above, or if it did not
     * @param causation the event that led to it; nothing for what was asked from outside
     * @param reason the caller's own words
     * @param details the event's own fields
     */
    record AuditEvent(
            long position,
            UUID eventId,
            Instant recordedAt,
            Instant decidedAt,
            String type,
            String subjectType,
            String subject,
            String projectId,
            @Nullable String userId,
            @Nullable String userProjectId,
            List<String> roles,
            @Nullable String authentication,
            @Nullable String requestId,
            @Nullable String address,
            @Nullable String agent,
            @Nullable String causation,
            @Nullable String reason,
            Map<String, @Nullable Object> details) {

        static AuditEvent of(Entry entry, Told told) {
            RequestOrigin origin = entry.origin();
            return new AuditEvent(
                    entry.position(),
                    entry.id(),
                    entry.recordedAt(),
                    entry.decidedAt(),
                    entry.type(),
                    entry.streamType().toLowerCase(Locale.ROOT),
                    told.subject(),
                    entry.project(),
                    entry.user(),
                    entry.actingFor(),
                    entry.roles(),
                    entry.authentication(),
                    entry.requestId(),
                    origin == null ? null : origin.addressText(),
                    origin == null ? null : origin.agent(),
                    entry.causation(),
                    entry.reason(),
                    told.data());
        }
    }

    /**
     * An event, and what it changed of what it happened to, as that is shown.
     *
     * @param before the fields that it changed, by their paths, as they were; what was not there is
     *     not in it
     * @param after the same, as they were from then on
     */
    record AuditedEvent(
            AuditEvent event,
            Map<String, @Nullable Object> before,
            Map<String, @Nullable Object> after) {}

    /**
     * What happened because of one request.
     *
     * @param complete whether that is all; there may be very much
     * @param steps each after the one because of which it happened
     */
    record Chain(@Nullable String requestId, boolean complete, List<ChainStep> steps) {}

    /**
     * Something that happened because of another: an event or a call; the other is left out.
     *
     * @param depth how many steps led to it; 0 for what was asked from outside, or began by itself
     * @param becauseOf the position of the event that led to it; left out where that is none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ChainStep(
            int depth, @Nullable Long becauseOf, @Nullable AuditEvent event, @Nullable Call call) {}
}
