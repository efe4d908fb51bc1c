package org.leasehold.gateway.api;

import org.springdoc.core.annotations.ParameterObject;
import org.springframework.beans.BeanUtils;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.SynthesizingMethodParameter;
import org.springframework.web.bind.annotation.RequestParam;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Records whose components are the query parameters of a route. Each component has the annotations
 * that a parameter of the route's method would have.
 */
final class QueryObjects {

    private QueryObjects() {}

    static boolean isQueryObject(Class<?> type) {
        return type.isRecord() && type.isAnnotationPresent(ParameterObject.class);
    }

    static Constructor<?> constructor(Class<?> type) {
        return BeanUtils.getResolvableConstructor(type);
    }

    /** Returns the query parameters, in order. */
    static List<MethodParameter> parameters(Class<?> type) {
        Constructor<?> constructor = constructor(type);
        return IntStream.range(0, constructor.getParameterCount())
                .<MethodParameter>mapToObj(i -> new SynthesizingMethodParameter(constructor, i))
                .toList();
    }

    /** Returns the component that has the value of a query parameter. */
    static String component(MethodParameter parameter) {
        return parameter
                .getContainingClass()
                .getRecordComponents()[parameter.getParameterIndex()]
                .getName();
    }

    /** Returns the name of a query parameter of a record. */
    static String name(MethodParameter parameter) {
        return Objects.requireNonNull(parameter.getParameterAnnotation(RequestParam.class)).name();
    }
}
