package org.leasehold.publishing;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The failure of a publication. It is logged at its start and at its end, however long it lasts.
 */
public final class PublicationFailure {

    private static final Logger LOG = LoggerFactory.getLogger(PublicationFailure.class);

    private final String publication;
    private volatile boolean lasts;

    public PublicationFailure(String publication) {
        this.publication = publication;
    }

    /** Returns true between the start and the end of a failure. */
    public boolean lasts() {
        return lasts;
    }

    public void begin(Throwable cause) {
        if (!lasts) {
            lasts = true;
            LOG.atError()
                    .addKeyValue("publication", publication)
                    .setCause(cause)
                    .log("A publication cannot go on; it is tried again");
        }
    }

    public void end() {
        if (lasts) {
            lasts = false;
            LOG.atInfo().addKeyValue("publication", publication).log("A publication continues");
        }
    }
}
