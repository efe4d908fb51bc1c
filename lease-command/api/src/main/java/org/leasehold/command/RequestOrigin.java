package org.leasehold.command;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;

/**
 * Where a request came from. It is kept apart from what the request led to, and for a while only.
 *
 * @param address the client's; null where a proxy told none that is one
 * @param agent what the client calls itself; null if it does not
 */
public record RequestOrigin(@Nullable InetAddress address, @Nullable String agent) {

    /** Nobody needs more of it, and nobody shall fill the disk with it. */
    public static final int LONGEST_AGENT = 255;

    public RequestOrigin {
        if (agent != null && agent.length() > LONGEST_AGENT) {
            throw new IllegalArgumentException("an agent is no longer than " + LONGEST_AGENT);
        }
    }

    /** As it was kept. */
    public static RequestOrigin of(@Nullable String address, @Nullable String agent) {
        return new RequestOrigin(address == null ? null : InetAddress.ofLiteral(address), agent);
    }

    /** The address without a name; null if there is none. */
    public @Nullable String addressText() {
        return address == null ? null : address.getHostAddress();
    }
}
