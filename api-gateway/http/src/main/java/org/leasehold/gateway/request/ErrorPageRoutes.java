package org.leasehold.gateway.request;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

import java.io.IOException;

/** The error page of the container, which has logged the exception, if there was one. */
@Controller
class ErrorPageRoutes implements ErrorController {

    private final ErrorResponseWriter errors;

    ErrorPageRoutes(ErrorResponseWriter errors) {
        this.errors = errors;
    }

    @RequestMapping("/error")
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            // A response that has begun cannot change; the container cuts the connection.
            return;
        }
        int status =
                request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
                        ? code
                        : 500;
        HttpStatus known = HttpStatus.resolve(status);
        if (known == null || known == HttpStatus.INTERNAL_SERVER_ERROR) {
            errors.writeInternalError(request, response);
        } else if (known == HttpStatus.NOT_FOUND) {
            errors.writeNotFound(request, response);
        } else if (known == HttpStatus.REQUEST_TIMEOUT) {
            errors.writeError(request, response, status, BodyFilter.TIMEOUT_MESSAGE);
        } else {
            errors.writeError(request, response, status, known.getReasonPhrase());
        }
    }
}
