package org.leasehold.gateway.api;

import org.leasehold.gateway.api.http.TimeParser;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * A JSON mapper that accepts exactly what the API describes: no unknown field, no text for a
 * number, no number for a text, no field twice. Input that is guessed today could not get another
 * meaning tomorrow.
 */
final class StrictJson implements JsonMapperBuilderCustomizer {

    @Override
    public void customize(JsonMapper.Builder mapper) {
        mapper.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfigDefaults(
                        coercion ->
                                coercion.setCoercion(
                                                CoercionInputShape.EmptyString, CoercionAction.Fail)
                                        .setAcceptBlankAsEmpty(false))
                .withCoercionConfig(
                        LogicalType.Textual,
                        coercion ->
                                coercion.setCoercion(
                                                CoercionInputShape.Integer, CoercionAction.Fail)
                                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                        .setCoercion(
                                                CoercionInputShape.Boolean, CoercionAction.Fail))
                .addModule(
                        new SimpleModule("leasehold")
                                .setSerializerModifier(new FormerNames())
                                .addDeserializer(
                                        Instant.class,
                                        new Text<>(Instant.class, TimeParser::parseInstant))
                                .addDeserializer(
                                        Duration.class,
                                        new Text<>(Duration.class, TimeParser::parseDuration)));
    }

    /** A value that is written as a text. */
    private static final class Text<T> extends StdDeserializer<T> {

        private final Function<String, T> reader;

        Text(Class<T> type, Function<String, T> reader) {
            super(type);
            this.reader = reader;
        }

        @Override
        @SuppressWarnings("unchecked")
        public T deserialize(JsonParser parser, DeserializationContext context) {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                return (T) context.handleUnexpectedToken(handledType(), parser);
            }
            String text = parser.getString();
            try {
                return reader.apply(text);
            } catch (IllegalArgumentException invalid) {
                throw context.weirdStringException(text, handledType(), invalid.getMessage())
                        .withCause(invalid);
            }
        }
    }
}
