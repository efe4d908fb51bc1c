package org.leasehold.gateway.v1;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@RestControllerAdvice(basePackageClasses = V1Errors.class)
class V1Errors {

    @ExceptionHandler
    ResponseEntity<byte[]> answer(V1Failure failure) {
        return V1Json.answer(failure.status(), failure.body());
    }
}
