package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.leasehold.lease.Fault;
import org.leasehold.query.CloudCalls.CloudCall;
import org.leasehold.query.DeniedAttempts.DeniedAttempt;

import java.time.Instant;
import java.util.List;
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

    /** An attempt in vain, or several equal ones within a minute. */
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
            String requestId) {

        static Denied of(DeniedAttempt attempt) {
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
                    attempt.requestId());
        }
    }
}
