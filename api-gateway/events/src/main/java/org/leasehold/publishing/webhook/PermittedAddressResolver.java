package org.leasehold.publishing.webhook;

import org.apache.hc.client5.http.DnsResolver;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.stream.Stream;

/**
 * Resolves host names for connections, and returns only permitted addresses. The checked addresses
 * are those of the connection: a later change of the name has no effect.
 */
final class PermittedAddressResolver implements DnsResolver {

    private final HostResolver resolver;
    private final DestinationPolicy policy;

    PermittedAddressResolver(HostResolver names, DestinationPolicy destinations) {
        this.resolver = names;
        this.policy = destinations;
    }

    /**
     * Returns all addresses of a host, each of them permitted.
     *
     * @throws NotPermitted if one is not permitted
     */
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] addresses = resolver.lookUp(host);
        if (addresses.length == 0) {
            throw new UnknownHostException("none");
        }
        // Every address: otherwise a permitted one would let the connection use the others.
        if (!Stream.of(addresses).allMatch(policy::isPermitted)) {
            throw new NotPermitted();
        }
        return addresses;
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    /** Signals a forbidden address without naming it. */
    static final class NotPermitted extends UnknownHostException {

        private static final long serialVersionUID = 1L;

        NotPermitted() {
            super("an address that is not permitted");
        }
    }
}
