package org.leasehold.gateway.api;

import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.databind.json.JsonMapper;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rules of all bodies that types cannot express. Null is no value: callers leave a field out
 * instead. Numbers have a limited length.
 */
@RestControllerAdvice(basePackageClasses = BodyRules.class)
class BodyRules extends RequestBodyAdviceAdapter {

    private static final int MAX_DIGITS = 400;

    /** The only field that may be null: slots without affinity may be anywhere. */
    private static final Pattern NULLABLE_PATH = Pattern.compile("(.*])?[.]?parameters[.]affinity");

    private static final JsonMapper MAPPER = JsonMapper.shared();

    @Override
    public boolean supports(
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter) {
        return true;
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter)
            throws IOException {
        byte[] body = message.getBody().readAllBytes();
        findProblem(body)
                .ifPresent(
                        problem -> {
                            throw new ProblemException(problem);
                        });
        return new Body(message.getHeaders(), body);
    }

    private static Optional<Problem> findProblem(byte[] body) {
        try (JsonParser parser = MAPPER.createParser(body)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                TokenStreamContext context = parser.streamReadContext();
                if (token == JsonToken.VALUE_NULL
                        && !NULLABLE_PATH.matcher(JsonProblems.path(context)).matches()) {
                    return Optional.of(
                            Problem.ofField(JsonProblems.path(context), "must not be null"));
                }
                if (token.isNumeric() && hasTooManyDigits(parser.getDecimalValue())) {
                    return Optional.of(
                            Problem.ofField(
                                    JsonProblems.path(context),
                                    "must have at most " + MAX_DIGITS + " digits"));
                }
            }
        } catch (JacksonException malformed) {
            // The reader of the body reports it better.
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static boolean hasTooManyDigits(BigDecimal number) {
        return (long) number.precision() + Math.abs((long) number.scale()) > MAX_DIGITS;
    }

    private static final class Body implements HttpInputMessage {

        private final HttpHeaders headers;
        private final byte[] bytes;

        Body(HttpHeaders headers, byte[] bytes) {
            this.headers = headers;
            this.bytes = bytes;
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public InputStream getBody() {
            return new ByteArrayInputStream(bytes);
        }
    }
}
