package org.leasehold.runtime;

import org.springframework.core.env.ConfigurableEnvironment;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;

/** The address at which clients on this machine reach the engine. */
final class BlazarApiUrl {

    private static final List<String> TLS_SETTINGS =
            List.of("server.ssl.bundle", "server.ssl.key-store", "server.ssl.certificate");

    private BlazarApiUrl() {}

    /** Returns the URL of the Blazar API. Once the engine listens, the port is the real one. */
    static String of(ConfigurableEnvironment environment) {
        return root(environment) + "/v1";
    }

    /** Returns the URL of the engine, without a path. */
    static String root(ConfigurableEnvironment environment) {
        boolean tls =
                TLS_SETTINGS.stream().anyMatch(environment::containsProperty)
                        && environment.getProperty("server.ssl.enabled", Boolean.class, true);
        return (tls ? "https://" : "http://")
                + host(environment.getProperty("server.address", "127.0.0.1"))
                + ":"
                + environment.getProperty(
                        "local.server.port", environment.getProperty("server.port", "1234"));
    }

    /** Returns the loopback address for an engine that listens on all addresses. */
    private static String host(String address) {
        InetAddress literal;
        try {
            literal = InetAddress.ofLiteral(address);
        } catch (IllegalArgumentException _) {
            return address;
        }
        boolean six = literal instanceof Inet6Address;
        if (literal.isAnyLocalAddress()) {
            return six ? "[::1]" : "127.0.0.1";
        }
        return six ? "[" + address + "]" : address;
    }
}
