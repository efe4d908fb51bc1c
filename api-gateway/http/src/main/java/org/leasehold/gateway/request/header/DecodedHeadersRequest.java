package org.leasehold.gateway.request.header;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;

/** The headers of a request as text: UTF-8 if they are valid UTF-8, else Latin-1. */
final class DecodedHeadersRequest extends HttpServletRequestWrapper {

    DecodedHeadersRequest(HttpServletRequest request) {
        super(request);
    }

    @Override
    public @Nullable String getHeader(String name) {
        String value = super.getHeader(name);
        return value == null ? null : decode(value);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(
                Collections.list(super.getHeaders(name)).stream()
                        .map(DecodedHeadersRequest::decode)
                        .toList());
    }

    /**
     * Returns the text of a header.
     *
     * @param value each of its bytes as a character, as the container has it
     */
    static String decode(String value) {
        if (value.chars().noneMatch(c -> c > 0x7f)) {
            return value;
        }
        ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1));
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException latin1) {
            return value;
        }
    }
}
