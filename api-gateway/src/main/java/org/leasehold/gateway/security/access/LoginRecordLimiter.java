package org.leasehold.gateway.security.access;

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

    /** The numbers of records by reason and address; only recorded ones are counted. */
    private final Map<String, Integer> recordsByKey = new HashMap<>();

    private Instant minute = Instant.MIN;
    private int recordsOfUsers;
    private int recordsOfOthers;

    /**
     * Counts a denied login; returns whether to record it.
     *
     * @param isUser whether a user has the name: invented names must not use up the records
     */
    synchronized boolean tryRecord(Why why, String address, boolean isUser, Instant now) {
        Instant present = now.truncatedTo(ChronoUnit.MINUTES);
        if (!present.equals(minute)) {
            minute = present;
            recordsOfUsers = 0;
            recordsOfOthers = 0;
            recordsByKey.clear();
        }
        String key = why + " " + address + " " + isUser;
        int ofAddress = recordsByKey.getOrDefault(key, 0);
        int limit = why == Why.LOGIN_THROTTLED ? MAX_THROTTLED_OF_ADDRESS : MAX_FAILURES_OF_ADDRESS;
        if ((isUser ? recordsOfUsers : recordsOfOthers) >= MAX_RECORDS || ofAddress >= limit) {
            return false;
        }
        if (isUser) {
            recordsOfUsers++;
        } else {
            recordsOfOthers++;
        }
        recordsByKey.put(key, ofAddress + 1);
        return true;
    }
}
