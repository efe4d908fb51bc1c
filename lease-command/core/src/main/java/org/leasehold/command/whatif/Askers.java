package org.leasehold.command.whatif;

import org.leasehold.lease.LeaseId;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** How many there are who ask for the same, each time by the same lot. */
final class Askers {

    private static final BigDecimal LOTS = new BigDecimal(BigInteger.TWO.pow(63));

    private Askers() {}

    /** As many as the factor says, on the average of many leases. */
    static int of(LeaseId lease, BigDecimal factor) {
        int sure = factor.setScale(0, RoundingMode.FLOOR).intValueExact();
        BigDecimal chance = factor.subtract(BigDecimal.valueOf(sure));
        BigDecimal lot =
                BigDecimal.valueOf(mixed(lease) >>> 1).divide(LOTS, 20, RoundingMode.FLOOR);
        return sure + (lot.compareTo(chance) < 0 ? 1 : 0);
    }

    /** Ids that count up are as good as any. */
    private static long mixed(LeaseId lease) {
        long bits =
                lease.value().getMostSignificantBits()
                        ^ Long.rotateLeft(lease.value().getLeastSignificantBits(), 32);
        bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return bits ^ (bits >>> 31);
    }
}
