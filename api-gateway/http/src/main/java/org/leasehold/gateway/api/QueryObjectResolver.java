package org.leasehold.gateway.api;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.annotation.RequestParamMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

import java.util.List;

/**
 * Resolves each component of a record as if it was a parameter of the route. A model attribute
 * would have other defaults, and other errors. {@code @NotNull @Valid} in the route's method
 * validates the record together with the other parameters.
 */
final class QueryObjectResolver implements HandlerMethodArgumentResolver {

    private final RequestParamMethodArgumentResolver parameterResolver =
            new RequestParamMethodArgumentResolver(false);

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return QueryObjects.isQueryObject(parameter.getParameterType());
    }

    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders)
            throws Exception {
        Class<?> type = parameter.getParameterType();
        List<MethodParameter> parameters = QueryObjects.parameters(type);
        @Nullable Object[] values = new Object[parameters.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] =
                    parameterResolver.resolveArgument(
                            parameters.get(i), container, request, binders);
        }
        return BeanUtils.instantiateClass(QueryObjects.constructor(type), values);
    }
}
