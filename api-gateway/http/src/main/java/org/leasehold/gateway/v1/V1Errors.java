package org.leasehold.gateway.v1;

import jakarta.servlet.http.HttpServletRequest;

import org.leasehold.command.ContentionException;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.limits.LongReadLimitException;
import org.leasehold.gateway.request.error.DatabaseOutage;
import org.leasehold.gateway.v1.http.V1Exception;
import org.leasehold.gateway.v1.http.V1Json;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import java.sql.SQLException;

@RestControllerAdvice(basePackageClasses = V1Errors.class)
class V1Errors {

    @ExceptionHandler
    ResponseEntity<byte[]> answer(V1Exception failure) {
        return failure.status() == 503
                ? retryLater("1", failure)
                : V1Json.response(failure.status(), failure.body());
    }

    /** Answers contention: the request is valid and had no effect, so a retry may succeed. */
    @ExceptionHandler
    ResponseEntity<byte[]> answer(ContentionException contention) {
        V1Exception failure =
                V1Exception.refused(503, "Too many concurrent requests. Please try again.");
        return answer(failure);
    }

    /**
     * Handles an outage, which may be a cause of the thrown exception. It rethrows other failures.
     *
     * @throws SQLException the same failure
     */
    @ExceptionHandler
    ResponseEntity<byte[]> answer(SQLException failure) throws SQLException {
        if (!DatabaseOutage.isOutage(failure)) {
            throw failure;
        }
        return retryLater(
                DatabaseOutage.RETRY_AFTER,
                V1Exception.refused(
                        503, "The service is temporarily unavailable. Please try again."));
    }

    @ExceptionHandler
    ResponseEntity<byte[]> answer(LongReadLimitException taken, HttpServletRequest request) {
        Limit.LONG_READS.attachTo(request);
        return retryLater(
                DatabaseOutage.RETRY_AFTER,
                V1Exception.refused(503, "Too many long reads are under way. Please try again."));
    }

    private static ResponseEntity<byte[]> retryLater(String seconds, V1Exception failure) {
        ResponseEntity<byte[]> answer = V1Json.response(failure.status(), failure.body());
        return ResponseEntity.status(answer.getStatusCode())
                .headers(answer.getHeaders())
                .header(HttpHeaders.RETRY_AFTER, seconds)
                .body(answer.getBody());
    }
}
