package org.leasehold.gateway.v1;

import org.leasehold.command.ContentionException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@RestControllerAdvice(basePackageClasses = V1Errors.class)
class V1Errors {

    @ExceptionHandler
    ResponseEntity<byte[]> answer(V1Failure failure) {
        return V1Json.answer(failure.status(), failure.body());
    }

    /** Nothing is wrong with the request, and nothing happened: the same again may go through. */
    @ExceptionHandler
    ResponseEntity<byte[]> answer(ContentionException contention) {
        V1Failure failure =
                V1Failure.refused(503, "Too many concurrent requests. Please try again.");
        return answer(failure);
    }
}
