package org.leasehold.readmodel.audit;

import java.io.IOException;

/**
 * The export of every event with its seal, and the signed heads, as lines of JSON. You can verify
 * them without the engine.
 */
public interface AuditExport {

    /** Returns the number of the last head; 0 if nothing has been signed. */
    long lastHead();

    /**
     * Streams everything from the beginning to a head. Memory holds only a part, whatever the
     * length and however slow the recipient; no connection waits.
     *
     * @param head the number of the head; 0 for no event at all
     * @param installation the name of this engine
     * @throws IOException if a line cannot be written
     */
    void write(long head, String installation, Discretion discretion, Lines lines)
            throws IOException;

    /** The decision which parts of an event the caller may see. */
    @FunctionalInterface
    interface Discretion {

        /**
         * Returns the visible part of an event.
         *
         * @param stream the id of the event's lease or resource
         * @param payload the event's own fields as JSON
         */
        Seen of(String streamType, String stream, String payload);
    }

    /** The visible part of an event; its position and its seal are always visible. */
    enum Seen {
        WHOLE,
        /** The id of its stream, but not its content. */
        STREAM,
        NOTHING
    }

    /** A receiver of lines, one after the other. */
    @FunctionalInterface
    interface Lines {

        /** Writes a line, which has no line end yet. */
        void write(String line) throws IOException;
    }
}
