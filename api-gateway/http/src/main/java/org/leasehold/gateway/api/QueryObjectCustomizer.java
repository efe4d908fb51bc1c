package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.DelegatingMethodParameterCustomizer;
import org.springdoc.core.extractor.DelegatingMethodParameter;
import org.springdoc.core.extractor.MethodParameterPojoExtractor;
import org.springframework.core.MethodParameter;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Optional;

/**
 * Describes each component of a record as if it was a parameter of the route. springdoc reads the
 * fields of the record, which lack the names and the defaults of the query parameters.
 */
final class QueryObjectCustomizer implements DelegatingMethodParameterCustomizer {

    /** Only objects within a record would need one. */
    private static final @Nullable MethodParameterPojoExtractor NO_EXTRACTOR = null;

    @Override
    public void customizeList(MethodParameter original, List<MethodParameter> flattened) {
        Class<?> type = original.getParameterType();
        if (QueryObjects.isQueryObject(type)) {
            List<MethodParameter> parameters = QueryObjects.parameters(type);
            RecordComponent[] components = type.getRecordComponents();
            String[] names = new String[components.length];
            MethodParameter[] described = new MethodParameter[components.length];
            for (int i = 0; i < components.length; i++) {
                names[i] = QueryObjects.name(parameters.get(i));
                described[i] =
                        new Component(
                                components[i].getAccessor(),
                                parameters.get(i).getParameterAnnotations());
            }
            flattened.clear();
            flattened.addAll(
                    List.of(
                            DelegatingMethodParameter.customize(
                                    names, described, Optional.empty(), NO_EXTRACTOR, false)));
        }
    }

    @Override
    public void customize(MethodParameter original, MethodParameter flattened) {
        // The whole list is replaced above.
    }

    /**
     * A component with the annotations of the constructor's parameter. springdoc fails on
     * parameters of constructors: it asks for their method.
     */
    private static final class Component extends MethodParameter {

        private final Annotation[] annotations;

        Component(Method accessor, Annotation[] annotations) {
            super(accessor, -1);
            this.annotations = annotations.clone();
        }

        @Override
        public Annotation[] getParameterAnnotations() {
            return annotations.clone();
        }
    }
}
