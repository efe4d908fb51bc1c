package org.leasehold.gateway.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** The owner that a request counts for: a caller, or an address if there is no login. */
public final class RequestOwner {

    private static final String ATTRIBUTE = RequestOwner.class.getName();

    /** Bytes of the prefix of an IPv6 network. A client with one address has its whole network. */
    private static final int IPV6_PREFIX_BYTES = 8;

    private static final int MAX_LENGTH = 64;
    private static final String UNKNOWN = "unknown";

    private RequestOwner() {}

    /** Sets the owner of a request. */
    public static void set(HttpServletRequest request, String owner) {
        request.setAttribute(ATTRIBUTE, limitLength(owner));
    }

    /** Returns the owner that was set for a request; otherwise, its address. */
    public static String of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof String owner
                ? owner
                : normalizeAddress(request.getRemoteAddr());
    }

    /**
     * Returns one name for all addresses that one client can choose from. A proxy may send an
     * address with a port, which differs for each connection, or text that is no address.
     *
     * @param address null if the client is gone already
     */
    public static String normalizeAddress(@Nullable String address) {
        if (address == null) {
            return UNKNOWN;
        }
        String host = stripPort(address);
        try {
            InetAddress literal = InetAddress.ofLiteral(host);
            return literal instanceof Inet6Address six
                    ? HexFormat.of().formatHex(Arrays.copyOf(six.getAddress(), IPV6_PREFIX_BYTES))
                            + "/64"
                    : literal.getHostAddress();
        } catch (IllegalArgumentException noLiteral) {
            // The text of a proxy must not be the name of a user.
            return limitLength("address " + host);
        }
    }

    /** Returns an address without port, brackets, and the zone of a link-local address. */
    private static String stripPort(String address) {
        String host = address;
        int colon = address.indexOf(':');
        int bracket = address.indexOf(']');
        if (address.startsWith("[") && bracket > 0) {
            host = address.substring(1, bracket);
        } else if (colon >= 0 && colon == address.lastIndexOf(':')) {
            host = address.substring(0, colon);
        }
        int zone = host.indexOf('%');
        return zone < 0 ? host : host.substring(0, zone);
    }

    /** Returns a key of limited length for a text. */
    private static String limitLength(String key) {
        if (key.length() <= MAX_LENGTH) {
            return key;
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }
}
