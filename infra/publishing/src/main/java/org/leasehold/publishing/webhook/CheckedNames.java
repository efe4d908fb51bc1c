package org.leasehold.publishing.webhook;

import org.apache.hc.client5.http.DnsResolver;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.stream.Stream;

/**
 * Looks up names for connections, and lets none of them out that is not permitted. What was checked
 * is what is connected to: a name that means something else a moment later gains nothing.
 */
final class CheckedNames implements DnsResolver {

    private final Names names;
    private final Destinations destinations;

    CheckedNames(Names names, Destinations destinations) {
        this.names = names;
        this.destinations = destinations;
    }

    /**
     * All addresses of a host, each of them permitted.
     *
     * @throws NotPermitted if one is not
     */
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] addresses = names.lookUp(host);
        if (addresses.length == 0) {
            throw new UnknownHostException("none");
        }
        // Each: one that is permitted would let the others in, whichever is connected to.
        if (!Stream.of(addresses).allMatch(destinations::isPermitted)) {
            throw new NotPermitted();
        }
        return addresses;
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    /** Does not say what the address is. */
    static final class NotPermitted extends UnknownHostException {

        private static final long serialVersionUID = 1L;

        NotPermitted() {
            super("an address that is not permitted");
        }
    }
}
