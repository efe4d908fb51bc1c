package org.leasehold.gateway.request;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.query.AddressRange;
import org.springframework.http.HttpHeaders;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** The origin of a request: its address and user agent. */
public final class Origin {

    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}+");

    /** Parts beside an address: the link of an IPv6 address, and the port that some proxies add. */
    private static final Pattern BESIDE_THE_ADDRESS =
            Pattern.compile("^\\[|](:[0-9]+)?$|%.*|(?<=\\.[0-9]{1,3}):[0-9]+$");

    private Origin() {}

    /**
     * Returns the origin of a request as the server knows it. The server trusts the headers of
     * proxies only if the operator has configured it.
     */
    public static RequestOrigin of(HttpServletRequest request) {
        return new RequestOrigin(address(request.getRemoteAddr()), agent(request));
    }

    /** Returns null if the text is no address: a proxy may send any text. */
    static @Nullable InetAddress address(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            AddressRange one =
                    AddressRange.of(BESIDE_THE_ADDRESS.matcher(text.strip()).replaceAll(""));
            return one.address();
        } catch (IllegalArgumentException none) {
            return null;
        }
    }

    private static @Nullable String agent(HttpServletRequest request) {
        String agent = asSent(request).getHeader(HttpHeaders.USER_AGENT);
        return agent == null ? null : cleaned(HeaderText.decoded(agent));
    }

    /** Returns the unwrapped request: the firewall would reject it for an unusual user agent. */
    private static HttpServletRequest asSent(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest sent ? sent : request;
    }

    /** Removes control characters and limits the length; returns null if nothing is left. */
    static @Nullable String cleaned(String agent) {
        String clean = CONTROL.matcher(agent).replaceAll(" ").strip();
        String bounded =
                clean.substring(0, Math.min(clean.length(), RequestOrigin.LONGEST_AGENT)).strip();
        return bounded.isEmpty() ? null : bounded;
    }
}
