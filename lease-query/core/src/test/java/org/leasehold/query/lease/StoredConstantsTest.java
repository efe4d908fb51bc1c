package org.leasehold.query.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.leasehold.query.booking.Booking;
import org.leasehold.readmodel.lease.LeaseStatus;
import org.leasehold.readmodel.subscription.SubscriptionChanges;

import java.util.List;
import java.util.stream.Stream;

/** A test of enum constants that are values of columns. Renaming one makes rows unreadable. */
class StoredConstantsTest {

    static List<Arguments> columns() {
        return List.of(
                Arguments.of(
                        "lease.status",
                        LeaseStatus.class,
                        "RETRYING PENDING DELAYED STARTING ACTIVE ENDING ENDED ERROR DELETING"),
                Arguments.of("booking.what", Booking.What.class, "PROMISED ACTIVE"),
                Arguments.of(
                        "subscription_change.kind",
                        SubscriptionChanges.Kind.class,
                        "WEBHOOK CALENDAR_FEED"),
                Arguments.of(
                        "subscription_change.action",
                        SubscriptionChanges.Action.class,
                        "MADE CHANGED SECRET_REPLACED RETRIED SWITCHED_OFF REMOVED"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("columns")
    void the_constants_of_a_column_are_fixed(
            String column, Class<? extends Enum<?>> type, String constants) {
        List<String> names = Stream.of(type.getEnumConstants()).map(Enum::name).toList();

        assertThat(String.join(" ", names)).as(column).isEqualTo(constants);
    }
}
