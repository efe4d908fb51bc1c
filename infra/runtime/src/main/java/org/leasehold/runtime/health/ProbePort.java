package org.leasehold.runtime.health;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;

import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

import java.io.IOException;
import java.time.Duration;

/** The port for probes. Its connections and threads are its own: no other client can take them. */
final class ProbePort extends ValveBase {

    private static final String HEALTH_PATH = "/actuator/health/";

    private static final int MAX_CONNECTIONS = 64;
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

    private final Connector connector;

    ProbePort(ProbeSettings settings) {
        super(true);
        Http11NioProtocol protocol = new Http11NioProtocol();
        protocol.setAddress(settings.address());
        // A probe that waits for the database does not delay other probes.
        protocol.setExecutor(new VirtualThreadExecutor("probe-"));
        protocol.setMaxConnections(MAX_CONNECTIONS);
        protocol.setConnectionTimeout((int) CONNECTION_TIMEOUT.toMillis());
        protocol.setMaxSwallowSize(0);
        connector = new Connector(protocol);
        connector.setPort(settings.port());
        connector.setXpoweredBy(false);
    }

    Connector connector() {
        return connector;
    }

    /** Serves only the health endpoints. */
    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (request.getConnector() == connector && !isHealthRequest(request)) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        getNext().invoke(request, response);
    }

    /** Returns true for a health endpoint. The address is null if it is too long. */
    private static boolean isHealthRequest(Request request) {
        String address = request.getRequestURI();
        return address != null && address.startsWith(HEALTH_PATH);
    }
}
