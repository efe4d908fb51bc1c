package org.leasehold.bench.load;

import org.leasehold.bench.load.LoadGenerator.Answer;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A persistent connection, with the part of HTTP/1.1 that the product's responses need. */
final class HttpConnection implements Closeable {

    private static final int TIMEOUT_MILLIS = (int) TimeUnit.SECONDS.toMillis(60);
    private static final int BUFFER = 16 * 1024;

    /** The age of a stale connection, shorter than the product's timeout for idle ones. */
    private static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int NO_CONTENT = 204;

    private final Socket socket = new Socket();
    private final InputStream in;
    private long usedAt;
    private boolean open = true;

    HttpConnection(InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.connect(address, TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new BufferedInputStream(socket.getInputStream(), BUFFER);
        usedAt = System.nanoTime();
    }

    boolean isStale() {
        return System.nanoTime() - usedAt > MAX_IDLE_NANOS;
    }

    boolean isOpen() {
        return open;
    }

    /** Returns the response after its whole body has arrived. */
    Answer send(String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        int status = Integer.parseInt(line().substring(9, 12));
        int length = 0;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            String value = header.substring(colon + 1).strip();
            switch (header.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "content-length" -> length = Integer.parseInt(value);
                case "transfer-encoding" -> chunked = value.equals("chunked");
                case "connection" -> open = !value.equals("close");
                default -> {}
            }
        }
        byte[] body = status == NO_CONTENT ? new byte[0] : chunked ? chunks() : exactly(length);
        usedAt = System.nanoTime();
        if (!open) {
            close();
        }
        return new Answer(status, body);
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = size(); size > 0; size = size()) {
            body.write(exactly(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private int size() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("The product has closed the connection");
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The product has closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        open = false;
        socket.close();
    }
}
