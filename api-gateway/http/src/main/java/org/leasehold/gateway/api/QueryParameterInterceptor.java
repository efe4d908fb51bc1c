package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.request.error.NearNames;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

import java.util.HashSet;
import java.util.Set;

/** Requires that a query parameter is known, not repeated, not empty, and free of U+0000. */
final class QueryParameterInterceptor implements HandlerInterceptor {

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method
                && method.getBeanType()
                        .getPackageName()
                        .startsWith(QueryParameterInterceptor.class.getPackageName())) {
            Set<String> known = declaredParameters(method);
            request.getParameterMap().forEach((name, values) -> requireValid(known, name, values));
        }
        return true;
    }

    private static void requireValid(Set<String> known, String name, String[] values) {
        if (!known.contains(name)) {
            throw new ProblemException(
                    Problem.ofField(name, "is unknown" + NearNames.suggestion(name, known)));
        }
        if (values.length > 1) {
            throw new ProblemException(Problem.ofField(name, "must not be said more than once"));
        }
        if (values[0].isBlank()) {
            throw new ProblemException(Problem.ofField(name, "must not be empty"));
        }
        // A body may not have this character either; all other text is good for a lookup.
        if (values[0].indexOf('\0') >= 0) {
            throw new ProblemException(Problem.ofField(name, "must not contain U+0000"));
        }
    }

    private static Set<String> declaredParameters(HandlerMethod method) {
        Set<String> names = new HashSet<>();
        for (MethodParameter parameter : method.getMethodParameters()) {
            RequestParam annotation = parameter.getParameterAnnotation(RequestParam.class);
            if (annotation != null) {
                names.add(annotation.name());
            }
            if (QueryObjects.isQueryObject(parameter.getParameterType())) {
                QueryObjects.parameters(parameter.getParameterType()).stream()
                        .map(QueryObjects::name)
                        .forEach(names::add);
            }
        }
        return names;
    }
}
