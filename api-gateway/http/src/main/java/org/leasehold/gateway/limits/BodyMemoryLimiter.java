package org.leasehold.gateway.limits;

import java.util.HashMap;
import java.util.Map;

/**
 * A limit on the bytes of all bodies that are being read or served. Objects parsed from a body need
 * many times its bytes of memory, so the sum is limited.
 */
public final class BodyMemoryLimiter {

    private final long maxBytesPerOwner;
    private final long maxBytes;

    /** Bytes by owner, guarded by the lock of this budget. */
    private final Map<String, Long> bytesByOwner = new HashMap<>();

    private long usedBytes;

    /**
     * Creates a budget that is not in use.
     *
     * @param each the most bytes of one owner
     * @param all the most bytes of all owners together
     */
    public BodyMemoryLimiter(long each, long all) {
        this.maxBytesPerOwner = each;
        this.maxBytes = all;
    }

    /** The result of a request for more bytes. */
    public enum Room {
        TAKEN,
        OWNER_AT_LIMIT,
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
            Room room = reserve(owner, more);
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

    private synchronized Room reserve(String owner, long more) {
        long own = bytesByOwner.getOrDefault(owner, 0L) + more;
        if (own > maxBytesPerOwner) {
            return Room.OWNER_AT_LIMIT;
        }
        if (usedBytes + more > maxBytes) {
            return Room.NONE_LEFT;
        }
        bytesByOwner.put(owner, own);
        usedBytes += more;
        return Room.TAKEN;
    }

    private synchronized void release(String owner, long bytes) {
        if (bytes > 0) {
            usedBytes -= bytes;
            bytesByOwner.computeIfPresent(owner, (_, own) -> own == bytes ? null : own - bytes);
        }
    }
}
