package org.leasehold.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that disconnects, stalls or does not read, unlike any HTTP library. */
final class RawConnection implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket = new Socket();

    RawConnection(int port) throws IOException {
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Announces a body of 50,000 bytes, and sends its first one. */
    void announce(String request, String type, String authorization) throws IOException {
        announce(request, type, authorization, 50_000);
    }

    /** Announces a body of some bytes, and sends its first one. */
    void announce(String request, String type, String authorization, int length)
            throws IOException {
        send(
                """
                %s HTTP/1.1\r
                Host: localhost\r
                %sContent-Type: %s\r
                Content-Length: %s\r
                \r
                {\
                """
                        .formatted(
                                request,
                                authorization.isEmpty()
                                        ? ""
                                        : "Authorization: " + authorization + "\r\n",
                                type,
                                length));
    }

    /** Sends one more byte; returns false if the server has closed the connection. */
    boolean trickle() {
        try {
            send(" ");
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    /** Returns the status of the response. */
    int status() throws IOException {
        byte[] line = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
        return Integer.parseInt(new String(line, StandardCharsets.US_ASCII).substring(9));
    }

    /** Returns all bytes until the server closes the connection. */
    String untilClosed() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
