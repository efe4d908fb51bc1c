package org.leasehold.resource.floatingip;

import org.jspecify.annotations.Nullable;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An address of an external network. It is enrolled as {@code <network>/<address>}, because two
 * networks may have the same addresses.
 *
 * @param network the network's id
 * @param address as Neutron writes it: an IPv6 address in its shortest form
 */
public record FloatingIp(String network, String address) {

    /** The properties of a floating IP, under Blazar's names. */
    public static final String NETWORK = "floating_network_id";

    public static final String SUBNET = "subnet_id";
    public static final String ADDRESS = "floating_ip_address";

    static final int MAX_NETWORK_LENGTH = 64;

    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");
    private static final Pattern LIKE_IPV6 = Pattern.compile("[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*");
    private static final Pattern LIKE_NETWORK =
            Pattern.compile("[^/\\s]{1," + MAX_NETWORK_LENGTH + "}");

    /** Returns a floating IP; empty if the network or the address is invalid. */
    public static Optional<FloatingIp> of(String network, String address) {
        return LIKE_NETWORK.matcher(network).matches()
                ? canonical(address).map(canonical -> new FloatingIp(network, canonical))
                : Optional.empty();
    }

    /** Returns the floating IP that is enrolled under a name; empty for any other name. */
    public static Optional<FloatingIp> fromName(String name) {
        int slash = name.indexOf('/');
        return slash < 0
                ? Optional.empty()
                : of(name.substring(0, slash), name.substring(slash + 1));
    }

    public String name() {
        return network + "/" + address;
    }

    /** Returns the properties that its enrolment stores. */
    public Map<String, @Nullable Object> attributes(String subnet) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put(NETWORK, network);
        attributes.put(SUBNET, subnet);
        attributes.put(ADDRESS, address);
        return attributes;
    }

    /** Returns whether a text is an address, in any notation. */
    public static boolean isAddress(String text) {
        return canonical(text).isPresent();
    }

    static boolean isNetwork(String network) {
        return LIKE_NETWORK.matcher(network).matches();
    }

    /** Returns the canonical notation of an address; empty if the text is none. */
    static Optional<String> canonical(String address) {
        if (IPV4.matcher(address).matches()) {
            return Optional.of(InetAddress.ofLiteral(address).getHostAddress());
        }
        if (!LIKE_IPV6.matcher(address).matches()) {
            return Optional.empty();
        }
        try {
            InetAddress parsed = Inet6Address.ofLiteral(address);
            return Optional.of(
                    parsed instanceof Inet6Address six
                            ? compressZeros(six.getHostAddress())
                            : parsed.getHostAddress());
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    /** Replaces the first of the longest runs of zeros by {@code ::} (RFC 5952). */
    private static String compressZeros(String eightGroups) {
        String[] groups = eightGroups.split(":");
        int longest = 1;
        int from = -1;
        for (int start = 0; start < groups.length; start++) {
            int end = start;
            while (end < groups.length && groups[end].equals("0")) {
                end++;
            }
            if (end - start > longest) {
                longest = end - start;
                from = start;
            }
        }
        if (from < 0) {
            return eightGroups;
        }
        String before = String.join(":", Arrays.copyOf(groups, from));
        String after = String.join(":", Arrays.copyOfRange(groups, from + longest, groups.length));
        return before + "::" + after;
    }
}
