package org.leasehold.gateway.security.access;

import org.leasehold.command.DenialLog.Why;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/** A limit on the denied logins that are recorded in a minute. */
final class LoginRecordLimiter {

    static final int MAX_RECORDS = 60;
    static final int MAX_FAILURES_OF_ADDRESS = 20;

    /** One: it shows that an address goes on, and the failures before it have their own records. */
    static final int MAX_THROTTLED_OF_ADDRESS = 1;

    /** A reason at an address; bounded, as only recorded ones are counted. */
    private final Map<String, Integer> recordsByKey = new HashMap<>();

    private Instant minute = Instant.MIN;
    private int records;

    /** Counts a denied login; returns whether to record it. */
    synchronized boolean tryRecord(Why why, String address, Instant now) {
        Instant present = now.truncatedTo(ChronoUnit.MINUTES);
        if (!present.equals(minute)) {
            minute = present;
            records = 0;
            recordsByKey.clear();
        }
        String key = why + " " + address;
        int ofAddress = recordsByKey.getOrDefault(key, 0);
        int limit = why == Why.LOGIN_THROTTLED ? MAX_THROTTLED_OF_ADDRESS : MAX_FAILURES_OF_ADDRESS;
        if (records >= MAX_RECORDS || ofAddress >= limit) {
            return false;
        }
        records++;
        recordsByKey.put(key, ofAddress + 1);
        return true;
    }
}
