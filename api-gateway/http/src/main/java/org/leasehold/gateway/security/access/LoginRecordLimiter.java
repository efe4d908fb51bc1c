package org.leasehold.gateway.security.access;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.DenialLog.Why;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/** A limit on the denied logins that are recorded in a minute. */
final class LoginRecordLimiter {

    /** The limit of logins with names of users, and of those with other names. */
    static final int MAX_RECORDS = 60;

    static final int MAX_FAILURES_OF_ADDRESS = 20;

    /** The limit of throttled logins of an address; one shows that the address goes on. */
    static final int MAX_THROTTLED_OF_ADDRESS = 1;

    /** The numbers of records in this minute; bounded, as only recorded ones are counted. */
    private final Map<Group, Integer> records = new HashMap<>();

    private Instant minute = Instant.MIN;

    /**
     * Records with a common limit.
     *
     * @param why null for all reasons
     * @param address null for all addresses
     */
    private record Group(boolean isUser, @Nullable Why why, @Nullable String address) {}

    /**
     * Counts a denied login; returns whether to record it.
     *
     * @param isUser whether a user has the name: invented names must not use up the records
     */
    synchronized boolean tryRecord(Why why, String address, boolean isUser, Instant now) {
        Instant present = now.truncatedTo(ChronoUnit.MINUTES);
        if (!present.equals(minute)) {
            minute = present;
            records.clear();
        }
        Group all = new Group(isUser, null, null);
        Group ofAddress = new Group(isUser, why, address);
        int limit = why == Why.LOGIN_THROTTLED ? MAX_THROTTLED_OF_ADDRESS : MAX_FAILURES_OF_ADDRESS;
        if (records.getOrDefault(all, 0) >= MAX_RECORDS
                || records.getOrDefault(ofAddress, 0) >= limit) {
            return false;
        }
        records.merge(all, 1, Integer::sum);
        records.merge(ofAddress, 1, Integer::sum);
        return true;
    }
}
