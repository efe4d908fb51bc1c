package org.leasehold.publishing;

/** A connection to a broker, on which nothing overtakes anything. One thread uses it. */
public interface Line {

    /** For what is sent from now on, and waited for together. Only the last one is in use. */
    Flight begin();

    /** Whether anything can be sent on it, as far as it has heard. */
    boolean isOpen();

    /** At once: what it still holds must not follow what somebody else sends. */
    void close();
}
