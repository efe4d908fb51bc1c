package org.leasehold.gateway.api.audit;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.gateway.api.http.FormerName;
import org.leasehold.gateway.api.resource.CallTarget;
import org.leasehold.lease.Fault;
import org.leasehold.readmodel.audit.AuditTrail.Entry;
import org.leasehold.readmodel.audit.DeniedAttempts.DeniedAttempt;
import org.leasehold.readmodel.audit.OriginErasures.OriginErasure;
import org.leasehold.readmodel.label.Labels.LeaseLabel;
import org.leasehold.readmodel.label.Labels.ResourceLabel;
import org.leasehold.readmodel.operation.CloudCalls.CloudCall;
import org.leasehold.readmodel.subscription.SubscriptionChanges.Done;
import org.leasehold.readmodel.subscription.SubscriptionChanges.SubscriptionChange;
import org.leasehold.wire.event.EventRedaction.RedactedEvent;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Responses for auditors. */
public final class AuditResponses {

    private AuditResponses() {}

    /** Calls of plug-ins, newest first. */
    record CallPage(List<Call> calls, @Nullable String next) {}

    /**
     * A single attempt of a plug-in's action.
     *
     * @param faultKind null if the attempt succeeded
     */
    record Call(
            @Nullable UUID leaseId,
            @Nullable UUID reservationId,
            @Nullable Long resourceId,
            @Nullable String kind,
            @Nullable String name,
            String action,
            int attempt,
            @FormerName("began") Instant beganAt,
            @FormerName("ended") Instant endedAt,
            @Nullable String faultKind,
            @Nullable String fault,
            String requestId,
            String causation) {

        static Call of(CloudCall call) {
            CallTarget aim = CallTarget.of(call.target());
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
                    fault == null ? null : CallTarget.word(fault.kind()),
                    fault == null ? null : fault.message(),
                    call.requestId(),
                    call.causation());
        }
    }

    /** Denied attempts, newest first. */
    record DeniedPage(List<Denied> attempts, @Nullable String next) {}

    /**
     * A denied attempt, or several equal ones within a minute.
     *
     * @param address the address of the first request; null if it is erased
     * @param agent the user agent of its client; null as above, or if it sent none
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

    /** The number of requests whose origins were erased. */
    record Erased(long erased) {}

    /** Erasures, newest first. */
    record ErasurePage(List<Erasure> erasures, @Nullable String next) {}

    /**
     * An erasure of the origins of requests.
     *
     * @param reason the user's own words
     * @param ofUserId the user whose origins were erased; null for all users
     * @param before only requests before this; null for all until then
     * @param erased the number of requests
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

    /** Changes of subscriptions, newest first. */
    record ChangedSubscriptionPage(List<ChangedSubscription> changes, @Nullable String next) {}

    /**
     * A change of a webhook, or of a calendar's feed.
     *
     * @param projectId the project of the subscription
     * @param before the changed fields as they were; null if the change created it
     * @param after the changed fields as they are since then; null if the change removed it
     * @param userId null for changes by the engine
     * @param userProjectId the project that the user acted for
     * @param requestId null for changes by the engine
     * @param address the address of the request; null if it is erased
     * @param agent the user agent of its client; null as above, or if it sent none
     * @param reason the user's own words
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
                    CallTarget.word(done.kind()),
                    done.subscription(),
                    done.project().value(),
                    CallTarget.word(done.action()),
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

    /** Found events, newest first. */
    record AuditEventPage(List<AuditEvent> events, @Nullable String next) {}

    /**
     * An event and its origin.
     *
     * @param subject the id of the lease or resource
     * @param projectId the project of its lease; {@code -} if it has none
     * @param userId null for events that the engine itself began
     * @param userProjectId the project that the user acted for
     * @param address the address of its request; null if the engine itself began it, or if it is
     *     erased
     * @param agent the user agent of the client; null as above, or if it sent none
     * @param causation the event that caused it; null for a request from outside
     * @param reason the caller's own words
     * @param details the event's own fields
     * @param leaseName the current name of its lease; null if it has none
     * @param resourceName the current name of the resource that it names; null if it names none
     * @param resourceZone the availability zone of that resource
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
            Map<String, @Nullable Object> details,
            @Nullable String leaseName,
            @Nullable String resourceName,
            @Nullable String resourceZone) {

        AuditEvent withLabels(@Nullable LeaseLabel lease, @Nullable ResourceLabel resource) {
            return new AuditEvent(
                    position,
                    eventId,
                    recordedAt,
                    decidedAt,
                    type,
                    subjectType,
                    subject,
                    projectId,
                    userId,
                    userProjectId,
                    roles,
                    authentication,
                    requestId,
                    address,
                    agent,
                    causation,
                    reason,
                    details,
                    lease == null ? null : lease.name(),
                    resource == null ? null : resource.name(),
                    resource == null ? null : resource.zone());
        }

        static AuditEvent of(Entry entry, RedactedEvent redacted) {
            RequestOrigin origin = entry.origin();
            return new AuditEvent(
                    entry.position(),
                    entry.id(),
                    entry.recordedAt(),
                    entry.decidedAt(),
                    entry.type(),
                    entry.streamType().toLowerCase(Locale.ROOT),
                    redacted.subject(),
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
                    redacted.data(),
                    null,
                    null,
                    null);
        }
    }

    /**
     * An event, and the changes of its lease or resource in the form in which it is shown.
     *
     * @param before the changed fields, by their paths, as they were; fields that did not exist are
     *     left out
     * @param after the changed fields as they are since then
     */
    record AuditedEvent(
            AuditEvent event,
            Map<String, @Nullable Object> before,
            Map<String, @Nullable Object> after) {}

    /**
     * The events and calls that one request caused.
     *
     * @param complete whether these are all; there may be very many
     * @param steps each after its cause
     */
    record Chain(@Nullable String requestId, boolean complete, List<ChainStep> steps) {}

    /**
     * A step in a chain of causes: an event or a call; the other is left out.
     *
     * @param depth the number of steps before it; 0 for a request, or an event without a cause
     * @param becauseOf the position of the event that caused it; left out if there is none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ChainStep(
            int depth, @Nullable Long becauseOf, @Nullable AuditEvent event, @Nullable Call call) {}
}
