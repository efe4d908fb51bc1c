package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.limits.LimitSettings;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;

/**
 * Reads the body of a request once, whole and within limits, and refuses text that cannot be
 * stored. It comes after the access rules: who may not ask is not listened to.
 */
final class BodyFilter extends OncePerRequestFilter {

    static final String TOO_SLOW = "The body of the request took too long to arrive.";

    private static final int LARGEST_BODY = 1 << 20;
    private static final int CHUNK = 8192;
    private static final String IDENTITY = "identity";

    private final LimitSettings.Bodies limits;
    private final EdgeErrors errors;

    BodyFilter(LimitSettings.Bodies limits, EdgeErrors errors) {
        this.limits = limits;
        this.errors = errors;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.strip().equalsIgnoreCase(IDENTITY)) {
            response.setHeader(HttpHeaders.ACCEPT_ENCODING, IDENTITY);
            errors.refuse(request, response, 415, "A request body is not compressed.");
            return;
        }
        byte[] body = read(request, response);
        if (body == null) {
            return;
        }
        var flaw = JsonText.flawOf(body);
        if (flaw.isPresent()) {
            errors.refuse(request, response, flaw.get());
            return;
        }
        chain.doFilter(new BufferedRequest(request, body), response);
    }

    /** The whole body; null if it is refused. */
    private byte @Nullable [] read(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        long end = System.nanoTime() + limits.within().toNanos();
        InputStream body = request.getInputStream();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK];
        try {
            for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
                all.write(chunk, 0, read);
                if (all.size() > LARGEST_BODY) {
                    errors.refuse(
                            request,
                            response,
                            413,
                            "A request body has at most " + LARGEST_BODY + " bytes.");
                    return null;
                }
                if (System.nanoTime() > end) {
                    errors.refuse(request, response, 408, TOO_SLOW);
                    return null;
                }
            }
            return all.toByteArray();
        } catch (IOException e) {
            if (e.getCause() instanceof SocketTimeoutException) {
                // The server answers with 408 already, unless it believes that we failed.
                request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
                return null;
            }
            throw e;
        }
    }
}
