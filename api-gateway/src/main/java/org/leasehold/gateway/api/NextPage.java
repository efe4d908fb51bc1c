package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.util.UriComponentsBuilder;

import java.util.Map;
import java.util.TreeMap;

/** Leads to what follows a page. */
final class NextPage {

    private NextPage() {}

    /** A {@code Link} header (RFC 8288) to the same question, but for some parameters. */
    static String link(HttpServletRequest request, Map<String, ?> others) {
        Map<String, Object> query = new TreeMap<>();
        request.getParameterMap().forEach((name, values) -> query.put(name, values[0]));
        query.putAll(others);
        UriComponentsBuilder uri = UriComponentsBuilder.fromPath(request.getRequestURI());
        query.keySet().forEach(name -> uri.queryParam(name, "{" + name + "}"));
        return "<" + uri.encode().buildAndExpand(query) + ">; rel=\"next\"";
    }
}
