package org.leasehold.gateway.v1;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.ResponseEntity;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.ForwardedHeaderUtils;
import org.springframework.web.util.UriComponents;

import java.util.List;
import java.util.Map;

/** Where the API is, for clients that know only the service's root. */
@RestController
class VersionEndpoints {

    @GetMapping({"/", "/versions"})
    ResponseEntity<byte[]> versions(HttpServletRequest request) {
        Map<String, Object> version =
                Map.of(
                        "id", "v1.0",
                        "status", "CURRENT",
                        "min_version", "1.0",
                        "max_version", "1.0",
                        "links", List.of(Map.of("rel", "self", "href", root(request) + "/v1")));
        return V1Json.answer(300, Map.of("versions", List.of(version)));
    }

    /** The service's root as the client sees it, through whatever proxies and under any prefix. */
    private static String root(HttpServletRequest request) {
        var received = new ServletServerHttpRequest(request);
        try {
            UriComponents seen =
                    ForwardedHeaderUtils.adaptFromForwardedHeaders(
                                    received.getURI(), received.getHeaders())
                            .replacePath(prefix(request))
                            .replaceQuery(null)
                            .build();
            return seen.toUriString();
        } catch (IllegalArgumentException malformedHeader) {
            throw V1Failure.unreadable(400, "The X-Forwarded headers are malformed.");
        }
    }

    private static String prefix(HttpServletRequest request) {
        String forwarded = request.getHeader("X-Forwarded-Prefix");
        String prefix = forwarded == null ? request.getContextPath() : forwarded.strip();
        return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }
}
