package org.leasehold.runtime;

import java.io.Closeable;
import java.io.IOException;

/**
 * Where the database is.
 *
 * @param server what has to be stopped with the engine
 */
record DatabaseAddress(String url, String user, String password, Closeable server)
        implements Closeable {

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** An address ends up in logs; a password must not. */
    @Override
    public String toString() {
        return url + " as " + user;
    }
}
