package org.leasehold.bench.inprocess;

import org.jspecify.annotations.Nullable;
import org.leasehold.bench.load.LoadGenerator;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.ServerSocket;
import java.net.Socket;

/** The outer end of the connection to {@link InProcessServer}. */
public final class InProcessClient {

    private final ServerSocket server;
    private @Nullable ObjectOutputStream out;
    private @Nullable ObjectInputStream in;

    public InProcessClient(ServerSocket server) {
        this.server = server;
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Runs a request. Both ends are of one build, on one machine, and of one user. */
    @SuppressWarnings("BanSerializableRead")
    public synchronized LoadGenerator.Outcome run(InProcessRequest errand) throws IOException {
        try {
            if (out == null || in == null) {
                Socket line = server.accept();
                out = new ObjectOutputStream(line.getOutputStream());
                in = new ObjectInputStream(line.getInputStream());
            }
            out.writeObject(errand);
            out.flush();
            return (LoadGenerator.Outcome) in.readObject();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
