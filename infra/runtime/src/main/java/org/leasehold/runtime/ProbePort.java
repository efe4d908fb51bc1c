package org.leasehold.runtime;

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

    private static final String HEALTH = "/actuator/health/";

    private static final int CONNECTIONS = 64;
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final Connector connector;

    ProbePort(ProbeSettings settings) {
        super(true);
        Http11NioProtocol protocol = new Http11NioProtocol();
        protocol.setAddress(settings.address());
        // A probe that waits for the database does not delay other probes.
        protocol.setExecutor(new VirtualThreadExecutor("probe-"));
        protocol.setMaxConnections(CONNECTIONS);
        protocol.setConnectionTimeout((int) SILENCE.toMillis());
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
        if (request.getConnector() == connector && !isAboutHealth(request)) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        getNext().invoke(request, response);
    }

    /** Returns true for a health endpoint. The address is null if it is too long. */
    private static boolean isAboutHealth(Request request) {
        String address = request.getRequestURI();
        return address != null && address.startsWith(HEALTH);
    }
}
