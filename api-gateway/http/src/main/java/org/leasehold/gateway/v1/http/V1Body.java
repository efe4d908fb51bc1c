package org.leasehold.gateway.v1.http;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.request.BufferedRequest;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;

/**
 * The JSON object of a request, or an object inside of it.
 *
 * @param node always an object
 */
public record V1Body(JsonNode node) {

    public static V1Body of(HttpServletRequest request) {
        byte[] body = BufferedRequest.bodyOf(request);
        // Blazar reads a body without a type as JSON; browsers send such bodies for other sites.
        String type = request.getContentType();
        if (type == null || !isJson(type)) {
            throw V1Exception.frameworkError(400, "Content-Type must be application/json.");
        }
        JsonNode node = V1Json.parse(body);
        if (node.isMissingNode()) {
            throw V1Exception.frameworkError(400, "The request body is not valid JSON.");
        }
        if (!node.isObject()) {
            throw V1Exception.refused(400, "The request body must be a JSON object");
        }
        return new V1Body(node);
    }

    private static boolean isJson(String type) {
        try {
            return MediaType.APPLICATION_JSON.includes(MediaType.parseMediaType(type));
        } catch (InvalidMediaTypeException malformed) {
            return false;
        }
    }

    public boolean isEmpty() {
        return node.isEmpty();
    }

    public boolean has(String field) {
        return node.has(field);
    }

    /** Returns a field's value, {@code null} included; null if there is no such field. */
    public @Nullable JsonNode get(String field) {
        return node.get(field);
    }

    /** Returns the text of a field that must be one. */
    public String text(String field) {
        JsonNode value = node.get(field);
        if (value == null) {
            throw V1Exception.missingParameter(field);
        }
        if (!value.isString()) {
            throw V1Exception.malformedParameter(field);
        }
        return value.stringValue();
    }

    /** Returns the objects of a field that must be a list of them; none without the field. */
    public List<V1Body> objects(String field) {
        JsonNode value = node.get(field);
        if (value == null) {
            return List.of();
        }
        if (!value.isArray()) {
            throw V1Exception.malformedParameter(field);
        }
        return value.valueStream()
                .map(
                        element -> {
                            if (!element.isObject()) {
                                throw V1Exception.malformedParameter(field);
                            }
                            return new V1Body(element);
                        })
                .toList();
    }

    /** Returns all fields as plain JSON values. */
    public Map<String, @Nullable Object> fields() {
        return V1Json.fields(node);
    }
}
