package org.leasehold.gateway.api.http;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.util.UriComponentsBuilder;

import java.util.Map;
import java.util.TreeMap;

/** The link to the next page. */
public final class NextPageLink {

    private NextPageLink() {}

    /**
     * Returns a response with a page, and with the link to the next one.
     *
     * @param next the marker of the next page; null on the last one
     */
    public static <T> ResponseEntity<T> respond(
            HttpServletRequest request, @Nullable String next, T page) {
        return next == null
                ? ResponseEntity.ok(page)
                : ResponseEntity.ok()
                        .header(HttpHeaders.LINK, link(request, Map.of("marker", next)))
                        .body(page);
    }

    /** Returns a {@code Link} header (RFC 8288) to the same query, with some other parameters. */
    public static String link(HttpServletRequest request, Map<String, ?> others) {
        Map<String, Object> query = new TreeMap<>();
        request.getParameterMap().forEach((name, values) -> query.put(name, values[0]));
        query.putAll(others);
        UriComponentsBuilder uri = UriComponentsBuilder.fromPath(request.getRequestURI());
        query.keySet().forEach(name -> uri.queryParam(name, "{" + name + "}"));
        return "<" + uri.encode().buildAndExpand(query) + ">; rel=\"next\"";
    }
}
