package org.leasehold.gateway.limits;

import java.util.HashMap;
import java.util.Map;

/**
 * A limit on the bytes of all bodies that are being read or served. Objects parsed from a body need
 * many times its bytes of memory, so the sum is limited.
 */
public final class BodyBudget {

    private final long each;
    private final long all;

    /** Bytes by owner, guarded by the lock of this budget. */
    private final Map<String, Long> owners = new HashMap<>();

    private long taken;

    /**
     * Creates a budget that is not in use.
     *
     * @param each the most bytes of one owner
     * @param all the most bytes of all owners together
     */
    public BodyBudget(long each, long all) {
        this.each = each;
        this.all = all;
    }

    /** The result of a request for more bytes. */
    public enum Room {
        TAKEN,
        OWNER_HAS_ITS_SHARE,
        NONE_LEFT
    }

    /** The bytes of one body, until it is closed. */
    public final class Share implements AutoCloseable {

        private final String owner;
        private long bytes;

        private Share(String owner) {
            this.owner = owner;
        }

        /** Adds bytes, if there is room. */
        public Room grow(int more) {
            Room room = take(owner, more);
            if (room == Room.TAKEN) {
                bytes += more;
            }
            return room;
        }

        @Override
        public void close() {
            release(owner, bytes);
            bytes = 0;
        }
    }

    /** Opens the share of a body that is not read yet. */
    public Share open(String owner) {
        return new Share(owner);
    }

    private synchronized Room take(String owner, long more) {
        long own = owners.getOrDefault(owner, 0L) + more;
        if (own > each) {
            return Room.OWNER_HAS_ITS_SHARE;
        }
        if (taken + more > all) {
            return Room.NONE_LEFT;
        }
        owners.put(owner, own);
        taken += more;
        return Room.TAKEN;
    }

    private synchronized void release(String owner, long bytes) {
        if (bytes > 0) {
            taken -= bytes;
            owners.computeIfPresent(owner, (_, own) -> own == bytes ? null : own - bytes);
        }
    }
}
