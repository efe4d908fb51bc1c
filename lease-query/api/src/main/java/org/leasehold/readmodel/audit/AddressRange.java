package org.leasehold.readmodel.audit;

import java.net.InetAddress;
import java.util.regex.Pattern;

/**
 * A range of IP addresses with a common prefix.
 *
 * @param bits the length of the prefix; the full length of the address for a single address
 */
public record AddressRange(InetAddress address, int bits) {

    private static final Pattern FORM =
            Pattern.compile(
                    "(?:[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)(/[0-9]{1,3})?");

    public AddressRange {
        int all = 8 * address.getAddress().length;
        if (bits < 0 || bits > all) {
            throw new IllegalArgumentException("an address has %s bits: %s".formatted(all, bits));
        }
    }

    /**
     * Parses an address, or a network in CIDR notation: {@code 192.0.2.0/24}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static AddressRange of(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("neither an address nor a network: " + text);
        }
        String[] parts = text.split("/", 2);
        InetAddress address = InetAddress.ofLiteral(parts[0]);
        return new AddressRange(
                address,
                parts.length == 1 ? 8 * address.getAddress().length : Integer.parseInt(parts[1]));
    }

    /** Returns the range in the database's notation. */
    @Override
    public String toString() {
        return address.getHostAddress() + "/" + bits;
    }
}
