package org.leasehold.gateway.security.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.leasehold.command.DenialLog.Why;

import java.time.Instant;

class LoginRecordLimiterTest {

    private static final Instant MINUTE = Instant.parse("2026-11-21T10:00:00Z");

    private final LoginRecordLimiter records = new LoginRecordLimiter();

    private int record(Why why, String address, Instant now) {
        int recorded = 0;
        for (int i = 0; i < 1000; i++) {
            if (records.tryRecord(why, address, true, now)) {
                recorded++;
            }
        }
        return recorded;
    }

    @Test
    void the_records_of_an_address_are_limited_by_reason() {
        assertThat(record(Why.LOGIN_THROTTLED, "192.0.2.1", MINUTE)).isEqualTo(1);
        assertThat(record(Why.LOGIN_FAILED, "192.0.2.1", MINUTE)).isEqualTo(20);
        assertThat(record(Why.LOGIN_FAILED, "192.0.2.2", MINUTE)).isEqualTo(20);
    }

    @Test
    void the_records_of_all_addresses_are_limited() {
        int recorded = 0;
        for (int i = 0; i < 100; i++) {
            recorded += record(Why.LOGIN_FAILED, "192.0.2." + i, MINUTE.plusSeconds(i / 2));
        }
        assertThat(recorded).isEqualTo(60);
    }

    @Test
    void invented_names_do_not_use_up_the_records_of_users() {
        for (int i = 0; i < 100; i++) {
            records.tryRecord(Why.LOGIN_FAILED, "192.0.2." + i, false, MINUTE);
        }
        assertThat(records.tryRecord(Why.LOGIN_FAILED, "192.0.2.0", false, MINUTE)).isFalse();
        assertThat(record(Why.LOGIN_FAILED, "192.0.2.0", MINUTE)).isEqualTo(20);
    }

    @Test
    void the_limits_apply_to_each_minute() {
        record(Why.LOGIN_FAILED, "192.0.2.1", MINUTE);
        assertThat(record(Why.LOGIN_FAILED, "192.0.2.1", MINUTE.plusSeconds(59))).isZero();
        assertThat(record(Why.LOGIN_FAILED, "192.0.2.1", MINUTE.plusSeconds(60))).isEqualTo(20);
    }
}
