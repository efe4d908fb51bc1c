package org.leasehold.publishing.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The permitted addresses of receivers: those of the public Internet, and those that an operator
 * permits. Other addresses may belong to services that trust every client, such as a cloud's
 * metadata service.
 */
final class DestinationPolicy {

    private static final List<IpNetwork> SPECIAL_NETWORKS =
            networks(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/4",
                    "240.0.0.0/4",
                    // Teredo and other tunnels and experiments.
                    "2001::/23",
                    "2001:db8::/32",
                    // 6to4 embeds an IPv4 address; it is obsolete.
                    "2002::/16",
                    "3fff::/20");

    /** The only part of IPv6 that is assigned. */
    private static final IpNetwork GLOBAL_IPV6 = IpNetwork.of("2000::/3");

    /** The network whose last four bytes are the IPv4 address that the packet reaches. */
    private static final IpNetwork NAT64 = IpNetwork.of("64:ff9b::/96");

    private static final int BYTES_OF_IPV6 = 16;

    private final List<IpNetwork> allowed;

    DestinationPolicy(List<String> allowed) {
        this.allowed = allowed.stream().map(IpNetwork::of).toList();
    }

    private static List<IpNetwork> networks(String... texts) {
        return Stream.of(texts).map(IpNetwork::of).toList();
    }

    boolean isPermitted(InetAddress address) {
        return isIn(allowed, address) || isPublic(address);
    }

    private static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != BYTES_OF_IPV6) {
            return !isIn(SPECIAL_NETWORKS, address);
        }
        if (NAT64.contains(address)) {
            return isPublic(embeddedIpv4(bytes));
        }
        return GLOBAL_IPV6.contains(address) && !isIn(SPECIAL_NETWORKS, address);
    }

    private static InetAddress embeddedIpv4(byte[] bytes) {
        try {
            return InetAddress.getByAddress(
                    Arrays.copyOfRange(bytes, BYTES_OF_IPV6 - 4, BYTES_OF_IPV6));
        } catch (UnknownHostException never) {
            throw new IllegalStateException(never);
        }
    }

    private static boolean isIn(List<IpNetwork> networks, InetAddress address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }
}
