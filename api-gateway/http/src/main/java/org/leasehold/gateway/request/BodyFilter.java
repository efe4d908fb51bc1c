package org.leasehold.gateway.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.leasehold.gateway.limits.BodyMemoryLimiter;
import org.leasehold.gateway.limits.BodyMemoryLimiter.Share;
import org.leasehold.gateway.limits.Limit;
import org.leasehold.gateway.limits.LimitSettings;
import org.leasehold.gateway.limits.RequestOwner;
import org.leasehold.gateway.request.error.ErrorResponseWriter;
import org.leasehold.gateway.request.error.JsonBodyValidator;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads the body of a request once, whole and within limits, and rejects text that cannot be
 * stored. It runs after the access rules, so it reads bodies of allowed callers only.
 */
final class BodyFilter extends OncePerRequestFilter {

    static final String TIMEOUT_MESSAGE = "The body of the request took too long to arrive.";

    /** Paths whose bodies have reservations, which may have templates of stacks. */
    private static final List<PathPattern> TEMPLATE_PATHS =
            Stream.of(
                            "/v1/leases",
                            "/v1/leases/{id}",
                            "/api/leases",
                            "/api/leases/{id}",
                            "/api/availability",
                            "/api/quote",
                            "/api/what-if")
                    .map(PathPatternParser.defaultInstance::parse)
                    .toList();

    private static final int CHUNK_SIZE = 8192;
    private static final String IDENTITY = "identity";
    private static final String RETRY_AFTER = "1";

    private final LimitSettings.Bodies limits;
    private final BodyMemoryLimiter smallBodies;
    private final BodyMemoryLimiter largeBodies;
    private final ErrorResponseWriter errors;

    BodyFilter(LimitSettings.Bodies limits, ErrorResponseWriter errors) {
        this.limits = limits;
        // Bodies of the usual size never wait for large ones.
        this.smallBodies =
                new BodyMemoryLimiter(limits.ofOneCaller().toBytes(), limits.all().toBytes());
        this.largeBodies =
                new BodyMemoryLimiter(limits.ofOneCaller().toBytes(), limits.all().toBytes());
        this.errors = errors;
    }

    @Override
    protected void doFilterInternal(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.strip().equalsIgnoreCase(IDENTITY)) {
            response.setHeader(HttpHeaders.ACCEPT_ENCODING, IDENTITY);
            errors.writeError(request, response, 415, "A request body is not compressed.");
            return;
        }
        try (Share share = selectLimiter(request).open(RequestOwner.of(request))) {
            byte[] body;
            try {
                body = read(request, share);
            } catch (Refusal refusal) {
                if (refusal.isRetryable) {
                    response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER);
                }
                refusal.limit.attachTo(request);
                errors.writeError(request, response, refusal.status, refusal.reason);
                return;
            } catch (IOException e) {
                if (e.getCause() instanceof SocketTimeoutException) {
                    // The server answers 408 already, unless it sees an internal error.
                    request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
                    Limit.TIME_OF_BODY.attachTo(request);
                    return;
                }
                throw e;
            }
            var flaw = JsonBodyValidator.findFlaw(body);
            if (flaw.isPresent()) {
                errors.writeError(request, response, flaw.get());
                return;
            }
            chain.doFilter(new BufferedRequest(request, body), response);
        }
    }

    private BodyMemoryLimiter selectLimiter(HttpServletRequest request) {
        long announced = request.getContentLengthLong();
        boolean isSmall = announced >= 0 && announced <= limits.largest().toBytes();
        return isSmall || maxBytes(request) == limits.largest().toBytes()
                ? smallBodies
                : largeBodies;
    }

    private byte[] read(HttpServletRequest request, Share share) throws IOException, Refusal {
        long end = System.nanoTime() + limits.within().toNanos();
        long largest = maxBytes(request);
        if (request.getContentLengthLong() > largest) {
            throw tooLarge(largest);
        }
        InputStream body = request.getInputStream();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] chunk = new byte[CHUNK_SIZE];
        for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
            if (all.size() + read > largest) {
                throw tooLarge(largest);
            }
            requireRoom(share.grow(read));
            all.write(chunk, 0, read);
            if (System.nanoTime() > end) {
                throw new Refusal(Limit.TIME_OF_BODY, 408, TIMEOUT_MESSAGE, false);
            }
        }
        return all.toByteArray();
    }

    private long maxBytes(HttpServletRequest request) {
        PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
        return TEMPLATE_PATHS.stream().anyMatch(pattern -> pattern.matches(path))
                ? limits.largestTemplate().toBytes()
                : limits.largest().toBytes();
    }

    private static Refusal tooLarge(long largest) {
        return new Refusal(
                Limit.BYTES_OF_BODY,
                413,
                "A request body has at most " + largest + " bytes here.",
                false);
    }

    private static void requireRoom(BodyMemoryLimiter.Room room) throws Refusal {
        switch (room) {
            case TAKEN -> {}
            case OWNER_AT_LIMIT ->
                    throw new Refusal(
                            Limit.BODIES_OF_CALLER,
                            429,
                            "Bodies of yours that are as large are being served.",
                            true);
            case NONE_LEFT ->
                    throw new Refusal(Limit.BODIES, 503, "Too many bodies are being served.", true);
        }
    }

    /** An error that ends the read of a body. */
    private static final class Refusal extends Exception {

        private static final long serialVersionUID = 1;

        private final Limit limit;
        private final int status;
        private final String reason;
        private final boolean isRetryable;

        Refusal(Limit limit, int status, String why, boolean mayBeRepeated) {
            super(why, null, false, false);
            this.limit = limit;
            this.status = status;
            this.reason = why;
            this.isRetryable = mayBeRepeated;
        }
    }
}
