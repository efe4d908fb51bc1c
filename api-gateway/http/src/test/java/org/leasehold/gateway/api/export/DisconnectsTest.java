package org.leasehold.gateway.api.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import jakarta.servlet.ServletException;

import org.apache.catalina.connector.ClientAbortException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.leasehold.gateway.api.ApiTest;
import org.leasehold.gateway.api.InMemoryApi;
import org.leasehold.gateway.request.error.Disconnects;
import org.leasehold.gateway.security.Caller;
import org.leasehold.gateway.security.Role;
import org.leasehold.gateway.v1.InMemoryEngine;
import org.leasehold.vocabulary.ProjectId;
import org.leasehold.vocabulary.UserId;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.mock.web.MockHttpServletResponse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client that disconnects causes no error that an operator has to see. */
@ApiTest
@Isolated("It listens to all that is logged.")
class DisconnectsTest {

    private static final String GATEWAY = "org.leasehold.gateway";
    private static final String DISCONNECTED = "A client has disconnected";

    @Autowired InMemoryEngine engine;
    @LocalServerPort int port;

    private final Log log = new Log();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger gateway = (Logger) LoggerFactory.getLogger(GATEWAY);
    private InMemoryApi api;

    private static final class Log extends AppenderBase<ILoggingEvent> {

        private final BlockingQueue<ILoggingEvent> events = new LinkedBlockingQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }

        /** Returns all entries of the log before a message. */
        private List<ILoggingEvent> before(String message) throws InterruptedException {
            List<ILoggingEvent> before = new ArrayList<>();
            ILoggingEvent event = next();
            while (!event.getMessage().equals(message)) {
                before.add(event);
                event = next();
            }
            return before;
        }

        private ILoggingEvent next() throws InterruptedException {
            ILoggingEvent event = events.poll(1, TimeUnit.MINUTES);
            assertThat(event).as("something is logged").isNotNull();
            return event;
        }
    }

    @BeforeEach
    void listen() {
        engine.reset();
        api = new InMemoryApi(port, engine);
        log.start();
        root.addAppender(log);
        gateway.setLevel(Level.DEBUG);
    }

    @AfterEach
    void stopListening() {
        gateway.setLevel(null);
        root.detachAppender(log);
    }

    /** Sends the beginning of a request, and resets the connection. */
    private void disconnect(String beginning) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoLinger(true, 0);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private String request(String method, String path, String headers) {
        return "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: %s\r\n%s\r\n"
                .formatted(method, path, api.authorization("member"), headers);
    }

    private void assertNoWarnings() throws InterruptedException {
        assertThat(log.before(DISCONNECTED))
                .noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/leases", "/v1/leases"})
    void a_disconnect_during_a_request_body_logs_no_warning(String path) throws Exception {
        String headers = "Content-Type: application/json\r\nContent-Length: 5000\r\n";
        disconnect(request("POST", path, headers) + "{");
        assertNoWarnings();
    }

    @Test
    void a_disconnect_during_a_download_logs_no_warning() throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        response.setCommitted(true);
        IllegalStateException gone = new IllegalStateException(new ClientAbortException("gone"));

        assertThatThrownBy(
                        () ->
                                new DownloadSender("downloads are made")
                                        .send(
                                                caller(),
                                                response,
                                                "text/csv",
                                                _ -> {
                                                    throw gone;
                                                }))
                .isSameAs(gone);
        assertThat(log.events).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
    }

    private static Caller caller() {
        return new Caller(
                new UserId("u"), "u", new ProjectId("p"), "p", EnumSet.of(Role.MEMBER), "basic");
    }

    @Test
    void only_a_broken_connection_of_a_client_is_a_disconnect() {
        SQLException database = new SQLException(new SocketException("Broken pipe"));
        assertThat(Disconnects.isDisconnect(new IllegalStateException(database))).isFalse();
        assertThat(Disconnects.isDisconnect(new ServletException(new ClientAbortException("gone"))))
                .isTrue();
    }
}
