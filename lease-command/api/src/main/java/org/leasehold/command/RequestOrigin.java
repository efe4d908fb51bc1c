package org.leasehold.command;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;

/**
 * The origin of a request. It is stored apart from the request's events, and for a limited time.
 *
 * @param address the client's address; null if a proxy did not send a valid one
 * @param agent the client's user agent; null if it sent none
 */
public record RequestOrigin(@Nullable InetAddress address, @Nullable String agent) {

    /** Longest stored user agent; a longer one is useless, and could fill the disk. */
    public static final int MAX_AGENT_LENGTH = 255;

    public RequestOrigin {
        if (agent != null && agent.length() > MAX_AGENT_LENGTH) {
            throw new IllegalArgumentException("an agent is no longer than " + MAX_AGENT_LENGTH);
        }
    }

    /** Creates the origin from its stored form. */
    public static RequestOrigin of(@Nullable String address, @Nullable String agent) {
        return new RequestOrigin(address == null ? null : InetAddress.ofLiteral(address), agent);
    }

    /** Returns the address without a host name; null if there is none. */
    public @Nullable String addressText() {
        return address == null ? null : address.getHostAddress();
    }
}
