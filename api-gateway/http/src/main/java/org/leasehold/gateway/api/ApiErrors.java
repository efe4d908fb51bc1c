package org.leasehold.gateway.api;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.leasehold.command.ContentionException;
import org.leasehold.gateway.api.problem.Problem;
import org.leasehold.gateway.api.problem.Problem.FieldError;
import org.leasehold.gateway.api.problem.ProblemException;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.limits.LongReadLimitException;
import org.leasehold.gateway.request.error.DatabaseOutage;
import org.leasehold.gateway.request.error.RequestId;
import org.leasehold.readmodel.UnknownMarker;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.Errors;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

import tools.jackson.core.JacksonException;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Turns exceptions into problem details that name the invalid fields. */
@RestControllerAdvice(basePackageClasses = ApiErrors.class)
class ApiErrors {

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(ProblemException refusal, HttpServletRequest request) {
        refusal.limit().ifPresent(limit -> limit.attachTo(request));
        return toResponse(refusal.problem(), request, refusal.headers());
    }

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(
            HttpMessageNotReadableException unreadable, HttpServletRequest request) {
        Problem problem =
                unreadable.getCause() instanceof JacksonException cause
                        ? JsonProblems.of(cause)
                        : Problem.of(400, "bad-request", "The request has no body.");
        return toResponse(problem, request);
    }

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(
            MethodArgumentNotValidException invalid, HttpServletRequest request) {
        return toResponse(invalidFields(fieldErrors(invalid.getBindingResult()).toList()), request);
    }

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(
            HandlerMethodValidationException invalid, HttpServletRequest request) {
        return toResponse(
                invalidFields(
                        invalid.getParameterValidationResults().stream()
                                .flatMap(ApiErrors::fieldErrors)
                                .toList()),
                request);
    }

    /** Answers 404 if a part of the path has the wrong form: no resource has such a name. */
    @ExceptionHandler
    ResponseEntity<Problem> toResponse(
            MethodArgumentTypeMismatchException mismatch, HttpServletRequest request) {
        Problem problem =
                mismatch.getParameter().hasParameterAnnotation(PathVariable.class)
                        ? Problem.notFound(mismatch.getName())
                        : Problem.ofField(
                                mismatch.getName(),
                                JsonProblems.describeExpected(mismatch.getRequiredType()));
        return toResponse(problem, request);
    }

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(
            MissingServletRequestParameterException missing, HttpServletRequest request) {
        return toResponse(
                Problem.ofField(missing.getParameterName(), "must not be missing"), request);
    }

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(
            HttpMediaTypeNotSupportedException unsupported, HttpServletRequest request) {
        return toResponse(
                Problem.of(
                        415,
                        "unsupported-media-type",
                        "The Content-Type of a request is application/json."),
                request);
    }

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(
            HttpMediaTypeNotAcceptableException unacceptable, HttpServletRequest request) {
        return toResponse(
                Problem.of(406, "not-acceptable", "All answers are application/json."), request);
    }

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(UnknownMarker unknown, HttpServletRequest request) {
        return toResponse(Problem.ofField("marker", "is not where a page ended"), request);
    }

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(ContentionException busy, HttpServletRequest request) {
        return toResponse(
                Problem.of(
                        503,
                        "busy",
                        "The request was not decided in time. Nothing happened; try again."),
                request);
    }

    /**
     * Handles an outage, which may be a cause of the thrown exception. It rethrows other failures.
     *
     * @throws SQLException the same failure
     */
    @ExceptionHandler
    ResponseEntity<Problem> toResponse(SQLException failure, HttpServletRequest request)
            throws SQLException {
        if (!DatabaseOutage.isOutage(failure)) {
            throw failure;
        }
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, DatabaseOutage.RETRY_AFTER);
        return toResponse(
                Problem.of(
                        503,
                        "unavailable",
                        "The database is not available or too slow. The change may have happened."
                                + " Repeat the request with the same Idempotency-Key to find out."),
                request,
                headers);
    }

    @ExceptionHandler
    ResponseEntity<Problem> toResponse(LongReadLimitException taken, HttpServletRequest request) {
        Limit.LONG_READS.attachTo(request);
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, DatabaseOutage.RETRY_AFTER);
        return toResponse(
                Problem.of(503, "busy", "Too many long reads are under way; try again later."),
                request,
                headers);
    }

    private static ResponseEntity<Problem> toResponse(Problem problem, HttpServletRequest request) {
        return toResponse(problem, request, new HttpHeaders());
    }

    private static ResponseEntity<Problem> toResponse(
            Problem problem, HttpServletRequest request, HttpHeaders headers) {
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(problem.status())
                        .headers(headers)
                        .contentType(MediaType.APPLICATION_PROBLEM_JSON);
        if ((problem.status() == 503 || problem.status() == 429)
                && !headers.containsHeader(HttpHeaders.RETRY_AFTER)) {
            answer.header(HttpHeaders.RETRY_AFTER, "1");
        }
        return answer.body(problem.withRequest(RequestId.of(request).value()));
    }

    private static Problem invalidFields(List<FieldError> fields) {
        String detail =
                String.join(
                        "; ",
                        fields.stream().map(f -> f.field() + " " + f.message()).sorted().toList());
        return Problem.of(400, "bad-request", detail).with(fields);
    }

    private static Stream<FieldError> fieldErrors(ParameterValidationResult result) {
        Class<?> type = result.getMethodParameter().getParameterType();
        if (result instanceof ParameterErrors query && QueryObjects.isQueryObject(type)) {
            return QueryObjects.parameters(type).stream()
                    .flatMap(parameter -> fieldErrors(query, parameter));
        }
        if (result instanceof ParameterErrors body) {
            return fieldErrors((Errors) body);
        }
        RequestParam query = result.getMethodParameter().getParameterAnnotation(RequestParam.class);
        String name = query == null ? "" : query.name();
        return result.getResolvableErrors().stream()
                .map(error -> new FieldError(name, message(error.getDefaultMessage())));
    }

    private static Stream<FieldError> fieldErrors(Errors query, MethodParameter parameter) {
        String component = QueryObjects.component(parameter);
        return query.getFieldErrors().stream()
                .filter(error -> isPartOf(error.getField(), component))
                .map(
                        error ->
                                new FieldError(
                                        QueryObjects.name(parameter),
                                        message(error.getDefaultMessage())));
    }

    /** Returns whether a path is that of a component, of an element of it, or of a nested field. */
    private static boolean isPartOf(String path, String component) {
        return path.equals(component)
                || path.startsWith(component + "[")
                || path.startsWith(component + ".");
    }

    private static Stream<FieldError> fieldErrors(Errors errors) {
        return errors.getFieldErrors().stream().map(ApiErrors::fieldError);
    }

    private static FieldError fieldError(org.springframework.validation.FieldError error) {
        return new FieldError(
                JsonProblems.toJsonPath(error.getField()), message(error.getDefaultMessage()));
    }

    private static String message(@Nullable String text) {
        return Objects.requireNonNullElse(text, "is invalid");
    }
}
