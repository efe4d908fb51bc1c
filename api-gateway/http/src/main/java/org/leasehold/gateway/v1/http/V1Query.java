package org.leasehold.gateway.v1.http;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.SortDirection;
import org.springframework.web.util.UriComponentsBuilder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The query parameters of a list. Blazar knows nearly none and ignores the others; so does this
 * class. A known parameter must be valid.
 */
public final class V1Query {

    private static final int MAX_PAGE_SIZE = 1000;
    private static final String LIMIT = "limit";
    private static final String MARKER = "marker";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,6}");

    private final HttpServletRequest request;

    public V1Query(HttpServletRequest request) {
        this.request = request;
    }

    /** Returns a parameter's value; null if it is left out. */
    public @Nullable String parameter(String name) {
        String[] values = request.getParameterValues(name);
        if (values == null) {
            return null;
        }
        // No database stores U+0000.
        if (values.length > 1 || values[0].indexOf('\0') >= 0) {
            throw V1Exception.malformedParameter(name);
        }
        return values[0];
    }

    /** Returns whether a parameter has any text: {@code false} is text, too. */
    public boolean hasText(String name) {
        String value = parameter(name);
        return value != null && !value.isEmpty();
    }

    /** Returns the most items; null for all. */
    public @Nullable Integer limit() {
        String limit = parameter(LIMIT);
        if (limit == null) {
            return null;
        }
        int size = NUMBER.matcher(limit).matches() ? Integer.parseInt(limit) : 0;
        if (size < 1 || size > MAX_PAGE_SIZE) {
            throw V1Exception.malformedParameter(
                    LIMIT + " (must be from 1 to " + MAX_PAGE_SIZE + ")");
        }
        return size;
    }

    /** Returns the id of the last item of the page before; null for the first page. */
    public @Nullable String marker() {
        return parameter(MARKER);
    }

    public static V1Exception invalidMarker() {
        return V1Exception.malformedParameter(
                MARKER + " (must be the id of the last one of a page)");
    }

    /** Returns the direction; the only key is the one by which the list is stored. */
    public SortDirection direction(String onlyKey) {
        String key = parameter("sort_key");
        if (key != null && !key.equals(onlyKey)) {
            throw V1Exception.malformedParameter("sort_key (must be " + onlyKey + ")");
        }
        return Optional.ofNullable(parameter("sort_dir"))
                .map(
                        direction ->
                                switch (direction) {
                                    case "asc" -> SortDirection.ASCENDING;
                                    case "desc" -> SortDirection.DESCENDING;
                                    default ->
                                            throw V1Exception.malformedParameter(
                                                    "sort_dir (must be asc or desc)");
                                })
                .orElse(SortDirection.ASCENDING);
    }

    /** Returns a link to the next page: the same query, after the last item of this page. */
    public String nextPageLink(String last) {
        UriComponentsBuilder address =
                UriComponentsBuilder.fromUriString(V1BaseUrl.root(request))
                        .path(request.getServletPath());
        List<String> values = new ArrayList<>();
        new TreeMap<>(request.getParameterMap())
                .forEach(
                        (name, said) -> {
                            if (!name.equals(MARKER)) {
                                values.add(name);
                                values.add(said[0]);
                            }
                        });
        values.add(MARKER);
        values.add(last);
        // As variables, so that names and values get encoded.
        for (int i = 0; i < values.size(); i += 2) {
            address.queryParam("{" + i + "}", "{" + (i + 1) + "}");
        }
        return "<" + address.encode().buildAndExpand(values.toArray()) + ">; rel=\"next\"";
    }
}
