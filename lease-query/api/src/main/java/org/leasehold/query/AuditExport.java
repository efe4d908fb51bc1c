package org.leasehold.query;

import java.io.IOException;

/**
 * Every event with its seal, and what was signed of them, as lines of JSON: whoever has them can
 * check them without the engine.
 */
public interface AuditExport {

    /** The number of the last head; 0 if nothing has been signed. */
    long lastHead();

    /**
     * Writes everything from the beginning to a head, as it is read: however long that is, and
     * however slow whoever listens, only some of it is in memory, and no connection waits.
     *
     * @param head the number of the head; 0 for no event at all
     * @param installation which engine this is
     * @throws IOException if a line cannot be written
     */
    void write(long head, String installation, Discretion discretion, Lines lines)
            throws IOException;

    /** Tells what whoever asked may see of events. */
    @FunctionalInterface
    interface Discretion {

        /**
         * What they may see of one.
         *
         * @param stream the id of what it happened to
         * @param payload its own fields as JSON
         */
        Seen of(String streamType, String stream, String payload);
    }

    /** What may be seen of an event; its position and its seal in any case. */
    enum Seen {
        WHOLE,
        /** What it happened to, and nothing of what it was. */
        STREAM,
        NOTHING
    }

    /** Takes lines, one after the other. */
    @FunctionalInterface
    interface Lines {

        /** Takes a line, which has no end yet. */
        void write(String line) throws IOException;
    }
}
