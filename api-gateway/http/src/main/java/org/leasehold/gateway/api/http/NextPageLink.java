package org.leasehold.gateway.api.http;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.util.UriComponentsBuilder;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** The link to the next page. */
public final class NextPageLink {

    private NextPageLink() {}

    /**
     * Returns a page of a list, with a {@code Link} to the next one.
     *
     * @param next the end of the page; null for the last one
     */
    public static <T> ResponseEntity<T> response(
            HttpServletRequest request, T page, @Nullable String next) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
        if (next != null) {
            answer.header(HttpHeaders.LINK, link(request, Map.of("marker", next)));
        }
        return answer.body(page);
    }

    /**
     * Returns a response with the items of a page, and a {@code Link} to the next one.
     *
     * @param body makes the body from the items and the end of the page
     */
    public static <T, B> ResponseEntity<B> response(
            HttpServletRequest request,
            Page<T> page,
            BiFunction<List<T>, @Nullable String, B> body) {
        return response(request, body.apply(page.items(), page.next()), page.next());
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
