package org.leasehold.publishing.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Looks up the addresses of a host. */
interface Names {

    /** All of them. */
    InetAddress[] lookUp(String host) throws UnknownHostException;
}
