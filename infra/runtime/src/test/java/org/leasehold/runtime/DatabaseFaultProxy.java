package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A network between an engine and its database that fails on request. */
final class DatabaseFaultProxy implements AutoCloseable {

    private final int database;
    private final int port;
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private ServerSocket door;
    private boolean silent;
    private volatile @Nullable Trap trap;

    /** The sender of a text. */
    enum Speaker {
        ENGINE,
        DATABASE
    }

    /** A failure of the connection on which a text is seen. */
    enum Fate {
        /** Both ends lose the connection before the text arrives. */
        CUT_BEFORE,
        /** The text arrives, no response does, and neither end notices the dead connection. */
        SILENT_AFTER
    }

    private record Trap(
            Speaker speaker, String text, Fate fate, boolean onlyOnce, AtomicInteger sprung) {}

    DatabaseFaultProxy(int database) throws IOException {
        this.database = database;
        this.door = open(0);
        this.port = door.getLocalPort();
        listen(door);
    }

    int port() {
        return port;
    }

    /** Stops all data in both directions; connections stay open. */
    void hang() {
        silence(true);
    }

    /** Closes all connections, and accepts no new one. */
    void refuse() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines.forEach(Line::cut);
    }

    /** Repairs the network; delayed data arrives late. */
    void heal() throws IOException {
        trap = null;
        silence(false);
        if (door.isClosed()) {
            door = open(port);
            listen(door);
        }
    }

    /** Breaks every connection from now on on which a text is sent. */
    void whenever(Speaker speaker, String text, Fate fate) {
        trap = new Trap(speaker, text, fate, false, new AtomicInteger());
    }

    /** Breaks the first connection on which a text is sent. */
    void once(Speaker speaker, String text, Fate fate) {
        trap = new Trap(speaker, text, fate, true, new AtomicInteger());
    }

    /** Returns how many connections broke. */
    int sprung() {
        Trap set = trap;
        return set == null ? 0 : set.sprung().get();
    }

    @Override
    public void close() {
        refuse();
        silence(false);
    }

    private void silence(boolean silence) {
        lock.lock();
        try {
            silent = silence;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static ServerSocket open(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private void listen(ServerSocket at) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            while (true) {
                                try {
                                    Line line = new Line(at.accept());
                                    line.start();
                                    // A connection accepted while the door was closing was not
                                    // among those cut.
                                    if (at.isClosed()) {
                                        line.cut();
                                    }
                                } catch (IOException _) {
                                    return;
                                }
                            }
                        });
    }

    private static boolean springs(Trap set, Speaker speaker, String earlier, String read) {
        // Without its first letter, a text of the earlier read does not count again.
        int rest = Math.max(0, earlier.length() - set.text().length() + 1);
        return set.speaker() == speaker
                && (earlier.substring(rest) + read).contains(set.text())
                && (set.sprung().getAndIncrement() == 0 || !set.onlyOnce());
    }

    /** A connection, from end to end. */
    private final class Line {

        private final Socket engine;
        private final Socket server;
        private volatile boolean dead;

        Line(Socket engine) throws IOException {
            this.engine = engine;
            this.server = new Socket(InetAddress.getLoopbackAddress(), database);
        }

        void start() {
            lines.add(this);
            Thread.ofVirtual().start(() -> carry(Speaker.ENGINE, engine, server));
            Thread.ofVirtual().start(() -> carry(Speaker.DATABASE, server, engine));
        }

        private void carry(Speaker speaker, Socket from, Socket to) {
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] bytes = new byte[65_536];
                // A text may arrive in two reads.
                String earlier = "";
                for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                    awaitSound();
                    Trap set = trap;
                    String read = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
                    boolean springs = set != null && springs(set, speaker, earlier, read);
                    earlier = read;
                    if (set != null && springs) {
                        switch (set.fate()) {
                            case CUT_BEFORE -> {
                                cut();
                                return;
                            }
                            case SILENT_AFTER -> {
                                out.write(bytes, 0, length);
                                dead = true;
                            }
                        }
                    } else if (!dead) {
                        out.write(bytes, 0, length);
                    }
                }
            } catch (IOException _) {
                // One of the ends is gone, so the other one closes.
            }
            // A silently dead connection does not even close.
            if (!dead) {
                cut();
            }
        }

        private void awaitSound() {
            lock.lock();
            try {
                while (silent) {
                    changed.awaitUninterruptibly();
                }
            } finally {
                lock.unlock();
            }
        }

        private void cut() {
            lines.remove(this);
            try {
                engine.close();
                server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
