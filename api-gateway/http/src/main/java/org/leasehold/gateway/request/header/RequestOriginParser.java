package org.leasehold.gateway.request.header;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.RequestOrigin;
import org.leasehold.readmodel.audit.AddressRange;
import org.springframework.http.HttpHeaders;

import java.net.InetAddress;
import java.util.regex.Pattern;

/** The origin of a request: its address and user agent. */
public final class RequestOriginParser {

    private static final Pattern CONTROL_CHARACTERS = Pattern.compile("\\p{Cc}+");

    /** Parts beside an address: the link of an IPv6 address, and the port that some proxies add. */
    private static final Pattern PORT_AND_ZONE =
            Pattern.compile("^\\[|](:[0-9]+)?$|%.*|(?<=\\.[0-9]{1,3}):[0-9]+$");

    private RequestOriginParser() {}

    /**
     * Returns the origin of a request as the server knows it. The server trusts the headers of
     * proxies only if the operator has configured it.
     */
    public static RequestOrigin of(HttpServletRequest request) {
        return new RequestOrigin(parseAddress(request.getRemoteAddr()), parseAgent(request));
    }

    /** Returns null if the text is no address: a proxy may send any text. */
    static @Nullable InetAddress parseAddress(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            AddressRange one = AddressRange.of(PORT_AND_ZONE.matcher(text.strip()).replaceAll(""));
            return one.address();
        } catch (IllegalArgumentException none) {
            return null;
        }
    }

    private static @Nullable String parseAgent(HttpServletRequest request) {
        String agent = unwrap(request).getHeader(HttpHeaders.USER_AGENT);
        return agent == null ? null : cleanAgent(DecodedHeadersRequest.decode(agent));
    }

    /** Returns the unwrapped request: the firewall would reject it for an unusual user agent. */
    private static HttpServletRequest unwrap(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest sent ? sent : request;
    }

    /** Removes control characters and limits the length; returns null if nothing is left. */
    static @Nullable String cleanAgent(String agent) {
        String clean = CONTROL_CHARACTERS.matcher(agent).replaceAll(" ").strip();
        String bounded =
                clean.substring(0, Math.min(clean.length(), RequestOrigin.MAX_AGENT_LENGTH))
                        .strip();
        return bounded.isEmpty() ? null : bounded;
    }
}
