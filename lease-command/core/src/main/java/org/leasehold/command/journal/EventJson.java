package org.leasehold.command.journal;

import com.ethlo.time.ITU;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

import org.jspecify.annotations.Nullable;
import org.leasehold.vocabulary.StoredNames;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.Version;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.ext.javatime.deser.InstantDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedConstructor;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.module.blackbird.BlackbirdModule;

import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The JSON format of events, commands and views, without annotations in them. Instants and
 * durations are ISO text, nulls are omitted, numbers in free-form parameters are exact.
 */
final class EventJson {

    private EventJson() {}

    static JsonMapper mapper() {
        return JsonMapper.builder()
                .addModule(new ByShape())
                // Without this module, the creation of a record costs as much as its parsing.
                .addModule(new BlackbirdModule())
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                .changeDefaultPropertyInclusion(
                        ignored ->
                                JsonInclude.Value.construct(
                                        JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .build();
    }

    private static final class ByShape extends SimpleModule {

        private static final long serialVersionUID = 1L;

        ByShape() {
            super("leasehold");
            addDeserializer(Instant.class, new Instants());
        }

        @Override
        public void setupModule(SetupContext context) {
            super.setupModule(context);
            context.insertAnnotationIntrospector(new Shapes());
        }
    }

    /** Parses instants; the JDK's formatter takes a third of the time to read an event. */
    private static final class Instants extends StdScalarDeserializer<Instant> {

        Instants() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) {
            if (parser.hasToken(JsonToken.VALUE_STRING)) {
                try {
                    return ITU.parseDateTime(parser.getString()).toInstant();
                } catch (DateTimeException _) {
                    // A year of more than four digits, or not an instant: the formatter decides.
                }
            }
            return InstantDeserializer.INSTANT.deserialize(parser, context);
        }
    }

    /**
     * Writes a record whose only component is called {@code value} as that value. For a sealed
     * interface, {@code type} contains the record's stored name.
     */
    private static final class Shapes extends NopAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public Version version() {
            return Version.unknownVersion();
        }

        @Override
        public @Nullable Boolean hasAsValue(MapperConfig<?> config, Annotated annotated) {
            if (annotated instanceof AnnotatedMethod method
                    && method.getParameterCount() == 0
                    && method.getName().equals("value")
                    && isValue(method.getDeclaringClass())) {
                return true;
            }
            return null;
        }

        @Override
        public JsonCreator.@Nullable Mode findCreatorAnnotation(
                MapperConfig<?> config, Annotated annotated) {
            if (annotated instanceof AnnotatedConstructor constructor
                    && constructor.getParameterCount() == 1
                    && isValue(constructor.getDeclaringClass())) {
                return JsonCreator.Mode.DELEGATING;
            }
            return null;
        }

        @Override
        public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(
                MapperConfig<?> config, Annotated annotated) {
            return isUnion(annotated.getRawType())
                    ? JsonTypeInfo.Value.construct(
                            JsonTypeInfo.Id.NAME,
                            JsonTypeInfo.As.PROPERTY,
                            "type",
                            null,
                            false,
                            null)
                    : null;
        }

        @Override
        public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
            if (!isUnion(annotated.getRawType())) {
                return null;
            }
            List<NamedType> subtypes = new ArrayList<>();
            StoredNames.ofMembers(annotated.getRawType())
                    .forEach((type, name) -> subtypes.add(new NamedType(type, name)));
            return subtypes;
        }

        private static boolean isValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            return components != null
                    && components.length == 1
                    && components[0].getName().equals("value");
        }

        private static boolean isUnion(Class<?> type) {
            return type.isInterface()
                    && type.isSealed()
                    && type.getName().startsWith("org.leasehold.");
        }
    }
}
