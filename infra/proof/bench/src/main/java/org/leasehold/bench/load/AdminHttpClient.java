package org.leasehold.bench.load;

import org.leasehold.bench.load.LoadGenerator.Answer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The product over HTTP, as its administrator. It uses plain sockets, because clients share the
 * machine with the engine.
 */
public final class AdminHttpClient {

    private final InetSocketAddress address;
    private final String head;
    private final Deque<HttpConnection> idle = new ConcurrentLinkedDeque<>();

    private AdminHttpClient(InetSocketAddress address, String login) {
        this.address = address;
        this.head = " HTTP/1.1\r\nHost: leasehold\r\nAccept: */*" + login;
    }

    /** Creates a gateway without a login. */
    public AdminHttpClient(InetSocketAddress address) {
        this(address, "");
    }

    public AdminHttpClient(InetSocketAddress address, String user, String password) {
        this(
                address,
                "\r\nAuthorization: Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        (user + ":" + password).getBytes(StandardCharsets.UTF_8)));
    }

    public Answer get(String path) throws IOException {
        return send("GET " + path + head + "\r\n\r\n");
    }

    public Answer delete(String path) throws IOException {
        return send("DELETE " + path + head + "\r\n\r\n");
    }

    public Answer post(String path, String json) throws IOException {
        return send("POST", path, json);
    }

    /** Sends a request with an idempotency key. */
    public Answer post(String path, String json, String key) throws IOException {
        return send("POST", path, "\r\nIdempotency-Key: " + key, json);
    }

    public Answer patch(String path, String json) throws IOException {
        return send("PATCH", path, json);
    }

    private Answer send(String method, String path, String json) throws IOException {
        return send(method, path, "", json);
    }

    /** Sends an ASCII request. */
    private Answer send(String method, String path, String header, String json) throws IOException {
        return send(
                method
                        + " "
                        + path
                        + head
                        + header
                        + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + json.length()
                        + "\r\n\r\n"
                        + json);
    }

    private Answer send(String request) throws IOException {
        HttpConnection connection = idle.pollFirst();
        while (connection != null && connection.isStale()) {
            connection.close();
            connection = idle.pollFirst();
        }
        if (connection == null) {
            connection = new HttpConnection(address);
        }
        Answer answer = connection.send(request);
        if (connection.isOpen()) {
            idle.addFirst(connection);
        }
        return answer;
    }
}
