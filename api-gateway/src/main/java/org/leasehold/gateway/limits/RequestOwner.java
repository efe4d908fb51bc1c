package org.leasehold.gateway.limits;

import jakarta.servlet.http.HttpServletRequest;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/** On whose account a request is: a caller's, or an address's if nobody has logged in. */
public final class RequestOwner {

    private static final String ATTRIBUTE = RequestOwner.class.getName();

    /** In bytes. A client with one IPv6 address has its whole network. */
    private static final int NETWORK = 8;

    private RequestOwner() {}

    /** Says whose request it is. */
    public static void set(HttpServletRequest request, String owner) {
        request.setAttribute(ATTRIBUTE, owner);
    }

    /** Whose request it is, as it was said; otherwise, its address. */
    public static String of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof String owner
                ? owner
                : address(request.getRemoteAddr());
    }

    /** One name for all addresses that one client can choose from. */
    public static String address(String address) {
        try {
            if (InetAddress.ofLiteral(address) instanceof Inet6Address six) {
                return HexFormat.of().formatHex(Arrays.copyOf(six.getAddress(), NETWORK)) + "/64";
            }
        } catch (IllegalArgumentException noLiteral) {
            // The server has got it from a proxy.
        }
        return address;
    }
}
