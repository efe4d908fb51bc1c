package org.leasehold.gateway.request.error;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Finds text in JSON that no database will store: U+0000, and halves of surrogate pairs. JSON can
 * spell both, so the parser accepts them and the insert would fail much later. It also finds JSON
 * with so many values, or nested so deeply, that no valid body needs its memory.
 */
public final class JsonBodyValidator {

    /** More than a lease with all its reservations has. */
    private static final int MAX_TOKENS = 50_000;

    /** Enough for the deepest allowed template, within a reservation of a lease. */
    private static final int MAX_DEPTH = 150;

    /** Bytes. A smaller body has too few values to do harm. */
    private static final int SMALL_BODY_BYTES = 8192;

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxTokenCount(MAX_TOKENS)
                                    .maxNestingDepth(MAX_DEPTH)
                                    .build())
                    .build();

    private JsonBodyValidator() {}

    /**
     * A defect of a body.
     *
     * @param field the path of the field; null when it is not inside of any one field
     */
    public record Flaw(@Nullable String field, String message) {}

    public static Optional<Flaw> findFlaw(byte[] body) {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException notUtf8) {
            return Optional.of(new Flaw(null, "The body is not UTF-8 text."));
        }
        // Nearly no body is large or has an escaped character: only such bodies are parsed twice.
        if (body.length <= SMALL_BODY_BYTES && text.indexOf('\0') < 0 && !text.contains("\\u")) {
            return Optional.empty();
        }
        return findFlaw(text);
    }

    private static Optional<Flaw> findFlaw(String text) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING || token == JsonToken.PROPERTY_NAME) {
                    String complaint = findTextDefect(parser.getString());
                    if (complaint != null) {
                        return Optional.of(new Flaw(path(parser.streamReadContext()), complaint));
                    }
                }
            }
            return Optional.empty();
        } catch (StreamConstraintsException tooMuch) {
            return Optional.of(
                    new Flaw(
                            null,
                            "The body has more than "
                                    + MAX_TOKENS
                                    + " values, names and brackets, or is nested deeper than "
                                    + MAX_DEPTH
                                    + "."));
        } catch (JacksonException malformed) {
            // The reader of the body reports it better; a bare U+0000 is malformed, too.
            return Optional.empty();
        }
    }

    private static @Nullable String findTextDefect(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\0') {
                return "must not contain U+0000";
            }
            if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return "must not contain half a surrogate pair";
            }
        }
        return null;
    }

    /** Returns a path such as {@code reservations[0].name}; the body itself has none. */
    private static @Nullable String path(TokenStreamContext context) {
        TokenStreamContext parent = context.getParent();
        String prefix = parent == null ? null : path(parent);
        if (context.inObject() && context.currentName() != null) {
            // The name itself may have the defect: it must not get into the response either.
            String name = sanitizeName(context.currentName());
            return prefix == null ? name : prefix + "." + name;
        }
        if (context.inArray()) {
            return (prefix == null ? "" : prefix) + "[" + context.getCurrentIndex() + "]";
        }
        return prefix;
    }

    private static String sanitizeName(String name) {
        return findTextDefect(name) == null ? name : name.replaceAll("[\\x00\\ud800-\\udfff]", "?");
    }
}
