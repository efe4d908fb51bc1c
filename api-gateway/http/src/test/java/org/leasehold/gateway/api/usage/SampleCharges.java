package org.leasehold.gateway.api.usage;

import org.jspecify.annotations.Nullable;
import org.leasehold.inventory.ResourceId;
import org.leasehold.inventory.ResourceKind;
import org.leasehold.readmodel.usage.Charge;
import org.leasehold.readmodel.usage.Charge.Reason;
import org.leasehold.readmodel.usage.Charge.Time;
import org.leasehold.readmodel.usage.Charge.Use;
import org.leasehold.readmodel.usage.Charge.What;
import org.leasehold.vocabulary.ReservationId;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Currency;
import java.util.UUID;

/** Charges of one reservation of a host, from the start of a month. */
final class SampleCharges {

    static final Instant FROM = Instant.parse("2026-10-01T00:00:00Z");
    static final ReservationId R = new ReservationId(new UUID(2, 1));

    private SampleCharges() {}

    static Charge usage(Instant until) {
        return charge(What.USAGE, slots(2), null, until, "0.125");
    }

    static Charge fee() {
        return charge(What.RESERVATION_FEE, null, null, FROM, "1.5");
    }

    /** Returns a charge of an hour for which a host with a property costs half as much again. */
    static Charge premium(String property, String value) {
        return charge(
                What.PREMIUM,
                slots(1),
                new Reason.Property(property, value),
                FROM.plusSeconds(3600),
                "0.5");
    }

    private static Use slots(int count) {
        return new Use(
                new ResourceId(7),
                "compute-7",
                ResourceKind.PHYSICAL_HOST,
                count,
                Use.SLOT,
                Time.ACTIVE);
    }

    private static Charge charge(
            What what, @Nullable Use use, @Nullable Reason reason, Instant until, String amount) {
        return new Charge(
                R,
                ResourceKind.PHYSICAL_HOST,
                use,
                what,
                reason,
                "2026",
                FROM,
                until,
                new BigDecimal(amount),
                Currency.getInstance("EUR"));
    }
}
