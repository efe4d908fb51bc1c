package org.leasehold.publishing.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Resolves the addresses of a host. */
interface HostResolver {

    /** Returns all addresses. */
    InetAddress[] lookUp(String host) throws UnknownHostException;
}
