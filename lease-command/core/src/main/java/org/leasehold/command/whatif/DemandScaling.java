package org.leasehold.command.whatif;

import org.leasehold.vocabulary.LeaseId;

/** Scales the number of callers that send the same request, by a fixed draw. */
final class DemandScaling {

    private static final int HUNDRED = 100;

    private DemandScaling() {}

    /** Returns the callers for one lease; {@code ofHundred} on average for a hundred leases. */
    static int callerCount(LeaseId lease, int ofHundred) {
        boolean isDrawn = Long.remainderUnsigned(mixBits(lease), HUNDRED) < ofHundred % HUNDRED;
        return ofHundred / HUNDRED + (isDrawn ? 1 : 0);
    }

    /** Mixes the bits, so that ascending ids are as good as any. */
    private static long mixBits(LeaseId lease) {
        long bits =
                lease.value().getMostSignificantBits()
                        ^ Long.rotateLeft(lease.value().getLeastSignificantBits(), 32);
        bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return bits ^ (bits >>> 31);
    }
}
