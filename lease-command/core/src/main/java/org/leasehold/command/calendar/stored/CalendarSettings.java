package org.leasehold.command.calendar.stored;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the calendar.
 *
 * @param cleaningTime how much longer than its lease a resource is kept from the next
 */
@ConfigurationProperties(prefix = "leasehold.calendar", ignoreUnknownFields = false)
record CalendarSettings(@DefaultValue("0s") Duration cleaningTime) {

    CalendarSettings {
        if (cleaningTime.isNegative()) {
            throw new IllegalArgumentException("cleaning-time is not negative: " + cleaningTime);
        }
    }
}
