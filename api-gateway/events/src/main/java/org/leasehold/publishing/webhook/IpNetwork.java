package org.leasehold.publishing.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/**
 * A network, such as {@code 10.1.0.0/16} or {@code fd00::/8}.
 *
 * @param bits the length of the prefix
 */
record IpNetwork(InetAddress address, int bits) {

    /** The form of an address; it excludes names, which would be resolved. */
    private static final Pattern FORM =
            Pattern.compile("([0-9.]{7,15}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)/\\d{1,3}");

    /**
     * Parses a network.
     *
     * @throws IllegalArgumentException if the text is not a network
     */
    static IpNetwork of(String text) {
        if (!FORM.matcher(text).matches()) {
            throw invalidNetwork(text);
        }
        int slash = text.indexOf('/');
        try {
            InetAddress address = InetAddress.getByName(text.substring(0, slash));
            int bits = Integer.parseInt(text.substring(slash + 1));
            if (bits > 8 * address.getAddress().length) {
                throw invalidNetwork(text);
            }
            return new IpNetwork(address, bits);
        } catch (UnknownHostException e) {
            throw invalidNetwork(text);
        }
    }

    private static IllegalArgumentException invalidNetwork(String text) {
        return new IllegalArgumentException(
                "leasehold.webhooks.allowed-networks has what is no network, such as 10.1.0.0/16: "
                        + text);
    }

    boolean contains(InetAddress other) {
        byte[] ours = address.getAddress();
        byte[] theirs = other.getAddress();
        if (ours.length != theirs.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % 8;
            if ((ours[bit / 8] & mask) != (theirs[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }
}
