package org.leasehold.runtime.database;

import java.io.Closeable;
import java.io.IOException;

/**
 * The address of the database.
 *
 * @param server the server to stop together with the engine
 */
public record DatabaseAddress(String url, String user, String password, Closeable server)
        implements Closeable {

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** Omits the password: addresses get into logs. */
    @Override
    public String toString() {
        return url + " as " + user;
    }
}
