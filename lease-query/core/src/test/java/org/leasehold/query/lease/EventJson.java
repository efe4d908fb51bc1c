package org.leasehold.query.lease;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;

import tools.jackson.core.Version;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedConstructor;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import java.lang.reflect.RecordComponent;

/** The event log's mapper, as far as leases need it: a core may not see another core. */
public final class EventJson {

    private EventJson() {}

    public static JsonMapper mapper() {
        return JsonMapper.builder()
                .addModule(new BareValues())
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .changeDefaultPropertyInclusion(
                        _ ->
                                JsonInclude.Value.construct(
                                        JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .build();
    }

    private static final class BareValues extends SimpleModule {

        private static final long serialVersionUID = 1L;

        @Override
        public void setupModule(SetupContext context) {
            super.setupModule(context);
            context.insertAnnotationIntrospector(new Shapes());
        }
    }

    private static final class Shapes extends NopAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public Version version() {
            return Version.unknownVersion();
        }

        @Override
        public Boolean hasAsValue(MapperConfig<?> config, Annotated annotated) {
            boolean accessor =
                    annotated instanceof AnnotatedMethod method
                            && method.getParameterCount() == 0
                            && method.getName().equals("value")
                            && isValue(method.getDeclaringClass());
            return accessor ? Boolean.TRUE : null;
        }

        @Override
        public JsonCreator.Mode findCreatorAnnotation(MapperConfig<?> config, Annotated annotated) {
            boolean constructor =
                    annotated instanceof AnnotatedConstructor candidate
                            && candidate.getParameterCount() == 1
                            && isValue(candidate.getDeclaringClass());
            return constructor ? JsonCreator.Mode.DELEGATING : null;
        }

        private static boolean isValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            return components != null
                    && components.length == 1
                    && components[0].getName().equals("value");
        }
    }
}
