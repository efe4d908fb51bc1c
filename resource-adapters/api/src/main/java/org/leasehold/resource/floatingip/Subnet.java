package org.leasehold.resource.floatingip;

import org.jspecify.annotations.Nullable;
import org.leasehold.resource.Acting.Discovery;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * A subnet of a network.
 *
 * @param cidr such as {@code 203.0.113.0/24}
 * @param gateway the address of its router; null for none
 * @param pools the addresses that the cloud assigns to requests for any address
 */
public record Subnet(String id, String cidr, @Nullable String gateway, List<Pool> pools) {

    private static final int IPV4_BITS = 32;

    /** A range of addresses from the first to the last, both included. */
    public record Pool(String first, String last) {}

    public Subnet {
        pools = List.copyOf(pools);
    }

    /** Describes an address; uses Blazar's message if it cannot be leased. */
    public static Discovery discover(FloatingIp ip, @Nullable String region, List<Subnet> subnets) {
        Optional<Subnet> found =
                subnets.stream().filter(subnet -> subnet.contains(ip.address())).findFirst();
        if (found.isEmpty()) {
            return new Discovery.NotFound();
        }
        Subnet subnet = found.get();
        return subnet.isAssignableByCloud(ip.address())
                ? new Discovery.Unfit(
                        "The floating IP %s is used in allocation_pools or gateway_ip in subnet %s ."
                                .formatted(ip.address(), subnet.id()))
                : new Discovery.Found(ip.name(), region, null, ip.attributes(subnet.id()));
    }

    /** Returns the description of any address of a network that does not exist. */
    public static Discovery networkNotFound(FloatingIp ip) {
        return new Discovery.Unfit("Failed to find network " + ip.network());
    }

    /** Returns whether a machine may have the address. */
    public boolean contains(String address) {
        int slash = cidr.indexOf('/');
        int hostBits =
                addressBits(cidr.substring(0, slash)) - Integer.parseInt(cidr.substring(slash + 1));
        BigInteger within = toNumber(address).subtract(toNumber(cidr.substring(0, slash)));
        if (addressBits(address) != addressBits(cidr.substring(0, slash))
                || within.signum() < 0
                || within.bitLength() > hostBits) {
            return false;
        }
        // With IPv4, the first and the last address mean the network and all machines in it.
        boolean reserved =
                addressBits(address) == IPV4_BITS
                        && hostBits > 1
                        && (within.signum() == 0
                                || within.add(BigInteger.ONE).bitLength() > hostBits);
        return !reserved;
    }

    /** Returns whether the cloud might assign the address itself. */
    boolean isAssignableByCloud(String address) {
        return (gateway != null && toNumber(gateway).equals(toNumber(address)))
                || pools.stream()
                        .anyMatch(
                                pool ->
                                        toNumber(pool.first()).compareTo(toNumber(address)) <= 0
                                                && toNumber(pool.last())
                                                                .compareTo(toNumber(address))
                                                        >= 0);
    }

    private static int addressBits(String address) {
        return InetAddress.ofLiteral(address).getAddress().length * Byte.SIZE;
    }

    private static BigInteger toNumber(String address) {
        return new BigInteger(1, InetAddress.ofLiteral(address).getAddress());
    }
}
