package org.leasehold.gateway.v1.http;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads and writes JSON. It has its own mapper, and returns bytes to the framework. Settings of the
 * other mapper do not change this API, and clients always get JSON.
 */
public final class V1Json {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    /** The most digits: a longer number is no quantity, and could use much processor time. */
    private static final int MAX_DIGITS = 100;

    private V1Json() {}

    public static ResponseEntity<byte[]> response(
            int status, Map<String, ? extends @Nullable Object> body) {
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .body(MAPPER.writeValueAsBytes(body));
    }

    public static SerializableString serialize(Map<String, ? extends @Nullable Object> value) {
        return new SerializedString(MAPPER.writeValueAsString(value));
    }

    /** Returns the same with an entity tag. */
    public static ResponseEntity<byte[]> taggedResponse(
            String tag, int status, Map<String, ? extends @Nullable Object> body) {
        return ResponseEntity.status(status)
                .eTag(tag)
                .contentType(MediaType.APPLICATION_JSON)
                .body(MAPPER.writeValueAsBytes(body));
    }

    /** Returns a page of a list, with a link to the next one. */
    public static <T> ResponseEntity<byte[]> pageResponse(
            String field, Page<T> page, Function<T, ?> rendering, V1Query query) {
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON);
        String next = page.next();
        if (next != null) {
            answer.header(HttpHeaders.LINK, query.nextPageLink(next));
        }
        return answer.body(
                MAPPER.writeValueAsBytes(
                        Map.of(field, page.items().stream().map(rendering).toList())));
    }

    /** Returns a generator for a stream, which the caller closes after the last value. */
    public static JsonGenerator createGenerator(OutputStream out) {
        return MAPPER.createGenerator(out);
    }

    static JsonNode parse(byte[] body) {
        try {
            return MAPPER.readTree(body);
        } catch (JacksonException malformed) {
            throw V1Exception.frameworkError(400, "The request body is not valid JSON.");
        }
    }

    /** Returns the fields of an object as plain JSON values, in order. */
    static Map<String, @Nullable Object> fields(JsonNode object) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        object.properties().forEach(field -> fields.put(field.getKey(), value(field.getValue())));
        return fields;
    }

    private static @Nullable Object value(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> fields(node);
            case ARRAY -> {
                List<@Nullable Object> values = new ArrayList<>();
                node.forEach(element -> values.add(value(element)));
                yield values;
            }
            case STRING -> node.stringValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> number(node);
            case NULL, MISSING -> null;
            case BINARY, POJO -> throw new IllegalStateException("not JSON: " + node.getNodeType());
        };
    }

    private static Object number(JsonNode node) {
        if (node.canConvertToInt() && node.isIntegralNumber()) {
            return node.intValue();
        }
        if (node.canConvertToLong() && node.isIntegralNumber()) {
            return node.longValue();
        }
        BigDecimal number = node.decimalValue();
        if ((long) number.precision() + Math.abs((long) number.scale()) > MAX_DIGITS) {
            throw V1Exception.refused(400, "A number has more than " + MAX_DIGITS + " digits");
        }
        return number;
    }
}
