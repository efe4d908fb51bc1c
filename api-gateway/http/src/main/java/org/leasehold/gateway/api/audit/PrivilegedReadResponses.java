package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.readmodel.audit.PrivilegedReads.PrivilegedRead;

import java.time.Instant;
import java.util.List;

/** Responses about privileged reads. */
public final class PrivilegedReadResponses {

    private PrivilegedReadResponses() {}

    /** Privileged reads, newest first. */
    record PrivilegedReadPage(List<PrivilegedReadLine> reads, @Nullable String next) {}

    /**
     * A read beyond the caller's project, or several equal ones within a minute.
     *
     * @param reason the user's own words; null if there were none
     * @param address the address of the first request; null if it is erased
     * @param agent the user agent of its client; null as above, or if it sent none
     */
    record PrivilegedReadLine(
            Instant at,
            Instant lastAt,
            long times,
            String userId,
            String projectId,
            List<String> roles,
            String action,
            String path,
            String filter,
            @Nullable String reason,
            String requestId,
            @Nullable String address,
            @Nullable String agent) {

        static PrivilegedReadLine of(PrivilegedRead read) {
            RequestOrigin origin = read.origin();
            return new PrivilegedReadLine(
                    read.at(),
                    read.lastAt(),
                    read.times(),
                    read.user().value(),
                    read.project().value(),
                    read.roles(),
                    read.action(),
                    read.path(),
                    read.filter(),
                    read.reason(),
                    read.requestId(),
                    origin == null ? null : origin.addressText(),
                    origin == null ? null : origin.agent());
        }
    }
}
