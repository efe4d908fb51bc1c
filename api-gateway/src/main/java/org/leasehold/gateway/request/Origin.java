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

/** Where a request came from. */
public final class Origin {

    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}+");

    /** IPv6 addresses of one link name it; some proxies add the port. */
    private static final Pattern BESIDE_THE_ADDRESS =
            Pattern.compile("^\\[|](:[0-9]+)?$|%.*|(?<=\\.[0-9]{1,3}):[0-9]+$");

    private Origin() {}

    /**
     * Where a request came from, as the server has it. What proxies say of that is the server's to
     * believe, and it does so only if the operator has configured it.
     */
    public static RequestOrigin of(HttpServletRequest request) {
        return new RequestOrigin(address(request.getRemoteAddr()), agent(request));
    }

    /** Null if it is none: a proxy may say whatever it likes. */
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

    /** The firewall would refuse a request for the sake of a name that nobody needs. */
    private static HttpServletRequest asSent(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest sent ? sent : request;
    }

    /** Without what no name has, and not too long; null if nothing is left. */
    static @Nullable String cleaned(String agent) {
        String clean = CONTROL.matcher(agent).replaceAll(" ").strip();
        String bounded =
                clean.substring(0, Math.min(clean.length(), RequestOrigin.LONGEST_AGENT)).strip();
        return bounded.isEmpty() ? null : bounded;
    }
}
