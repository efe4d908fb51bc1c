package org.leasehold.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Connections of clients without a login that never complete a request. One half never ends its
 * headers, and the other half never sends its body. The engine refuses the latter, and closes the
 * connection; another one replaces it.
 */
public final class StalledConnections implements AutoCloseable {

    private static final String HEADERS = "GET /api/leases HTTP/1.1\r\nHost: leasehold\r\nX-A: ";
    private static final String BODY =
            """
            POST /api/leases HTTP/1.1\r
            Host: leasehold\r
            Content-Type: application/json\r
            Content-Length: 60000\r
            \r
            """;

    private static final Duration PAUSE = Duration.ofMillis(10);

    /** At most one connection per pause is replaced: the connections stall, and are no flood. */
    private static final int REPLACED_PER_PAUSE = 1;

    private static final long BYTE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final InetSocketAddress address;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final Thread thread = Thread.ofPlatform().name("stalled").daemon().unstarted(this::run);
    private long lastByte = System.nanoTime();

    private StalledConnections(InetSocketAddress address) {
        this.address = address;
    }

    /** Opens a number of connections, and keeps them until they are closed. */
    public static StalledConnections open(InetSocketAddress address, int count) throws IOException {
        StalledConnections all = new StalledConnections(address);
        try {
            for (int i = 0; i < count; i++) {
                all.channels.add(all.connect(i));
            }
        } catch (IOException e) {
            all.channels.forEach(StalledConnections::closeQuietly);
            throw e;
        }
        all.thread.start();
        return all;
    }

    private SocketChannel connect(int number) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        channel.configureBlocking(false);
        write(channel, number % 2 == 0 ? HEADERS : BODY);
        return channel;
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private void run() {
        ByteBuffer ignored = ByteBuffer.allocate(4_096);
        try {
            while (!Thread.currentThread().isInterrupted()) {
                replaceClosed(ignored);
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void replaceClosed(ByteBuffer ignored) {
        boolean send = System.nanoTime() - lastByte > BYTE_INTERVAL_NANOS;
        if (send) {
            lastByte = System.nanoTime();
        }
        int replaced = 0;
        for (int i = 0; i < channels.size(); i++) {
            try {
                SocketChannel channel = channels.get(i);
                if (channel.isOpen()) {
                    ignored.clear();
                    if (channel.read(ignored) < 0) {
                        channel.close();
                    } else if (send) {
                        write(channel, "a");
                    }
                }
                if (!channel.isOpen() && replaced < REPLACED_PER_PAUSE) {
                    replaced++;
                    channels.set(i, connect(i));
                }
            } catch (IOException closed) {
                closeQuietly(channels.get(i));
            }
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException ignored) {
            // The engine has closed it.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channels.forEach(StalledConnections::closeQuietly);
    }
}
