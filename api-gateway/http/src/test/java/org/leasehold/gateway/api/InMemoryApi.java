package org.leasehold.gateway.api;

import org.leasehold.gateway.v1.InMemoryEngine;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/** The gateway with an engine in memory behind it. */
public record InMemoryApi(int port, InMemoryEngine engine) implements ApiUnderTest {

    @Override
    public URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public String authorization(String user) {
        return "Basic "
                + Base64.getEncoder()
                        .encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Instant now() {
        return ApiTestServer.NOW;
    }

    @Override
    public long lastPosition() {
        return engine.position();
    }

    /** This engine adds no events of its own. */
    @Override
    public long eventsOf(String requestId, long after) {
        return engine.position() - after;
    }

    /** Returns a new name each time: a test may enrol it. */
    @Override
    public String enrollableHost() {
        return "compute-" + System.nanoTime();
    }

    @Override
    public String enrollableFloatingIp() {
        String number = Long.toHexString(System.nanoTime() & 0xffff_ffffL);
        int half = number.length() / 2;
        return "5a5ff0b4-5f9c-4bd9-8d0c-3f6d1f1d7a01/2001:db8::%s:%s"
                .formatted(number.substring(0, half), number.substring(half));
    }
}
