package org.leasehold.publishing.webhook;

import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.leasehold.publishing.webhook.DeliveryResult.Failed;
import org.leasehold.publishing.webhook.DeliveryResult.Gone;
import org.leasehold.publishing.webhook.DeliveryResult.Taken;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * Sends messages over HTTP to permitted destinations. It follows no redirects, uses no proxy,
 * stores no cookies, and reads only the beginning of a response.
 */
final class WebhookSender implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);

    /** JSON is UTF-8. A charset is redundant, and some receivers reject the type with one. */
    private static final ContentType CLOUD_EVENT =
            ContentType.create("application/cloudevents+json");

    private static final int MAX_RESPONSE_BYTES = 4096;
    private static final int MAX_LINE_LENGTH = 8192;
    private static final int MAX_HEADERS = 100;

    /** At most one for each webhook is in use. */
    private static final int MAX_CONNECTIONS = 10_000;

    /** The time after which the name is resolved again. */
    private static final TimeValue CONNECTION_LIFETIME = TimeValue.ofSeconds(30);

    private static final Duration MAX_REQUESTED_PAUSE = Duration.ofDays(1);

    private static final int GONE = 410;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;

    private final ConfiguredWebhookRules rules;
    private final Duration timeout;
    private final Clock clock;
    private final PoolingHttpClientConnectionManager connections;
    private final CloseableHttpClient http;
    private final ScheduledExecutorService deadlines = deadlines();

    WebhookSender(
            WebhookSettings settings,
            ConfiguredWebhookRules rules,
            PermittedAddressResolver names,
            Clock clock) {
        this.rules = rules;
        this.timeout = settings.timeout();
        this.clock = clock;
        this.connections = connections(settings, names);
        this.http =
                HttpClients.custom()
                        .setConnectionManager(connections)
                        .setRoutePlanner(
                                new DefaultRoutePlanner(DefaultSchemePortResolver.INSTANCE))
                        .setDefaultRequestConfig(
                                RequestConfig.custom()
                                        .setResponseTimeout(Timeout.of(settings.timeout()))
                                        .setConnectionRequestTimeout(Timeout.of(settings.timeout()))
                                        .build())
                        .setUserAgent("leasehold")
                        .disableRedirectHandling()
                        .disableAutomaticRetries()
                        .disableCookieManagement()
                        .disableAuthCaching()
                        .disableContentCompression()
                        .build();
    }

    /** Creates the timer; it drops the deadline of a response that came in time. */
    private static ScheduledExecutorService deadlines() {
        ScheduledThreadPoolExecutor deadlines =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("webhook-deadlines").factory());
        deadlines.setRemoveOnCancelPolicy(true);
        return deadlines;
    }

    private static PoolingHttpClientConnectionManager connections(
            WebhookSettings settings, PermittedAddressResolver names) {
        Timeout timeout = Timeout.of(settings.timeout());
        try {
            return PoolingHttpClientConnectionManagerBuilder.create()
                    .setDnsResolver(names)
                    .setTlsSocketStrategy(new DefaultClientTlsStrategy(SSLContext.getDefault()))
                    .setConnectionFactory(
                            ManagedHttpClientConnectionFactory.builder()
                                    .http1Config(
                                            Http1Config.custom()
                                                    .setMaxLineLength(MAX_LINE_LENGTH)
                                                    .setMaxHeaderCount(MAX_HEADERS)
                                                    .build())
                                    .build())
                    .setDefaultConnectionConfig(
                            ConnectionConfig.custom()
                                    .setConnectTimeout(Timeout.of(settings.connectTimeout()))
                                    .setSocketTimeout(timeout)
                                    .setTimeToLive(CONNECTION_LIFETIME)
                                    .build())
                    .setMaxConnPerRoute(MAX_CONNECTIONS)
                    .setMaxConnTotal(MAX_CONNECTIONS)
                    .build();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no TLS", e);
        }
    }

    /**
     * Sends a message, and waits for the response.
     *
     * @param id the same for a repeat
     */
    DeliveryResult send(EnabledWebhook hook, UUID id, byte[] body) {
        Optional<String> objection = rules.objectionToSyntax(hook.url());
        if (objection.isPresent()) {
            // It was permitted when the webhook was created.
            return new Failed(null, "The url " + objection.get() + ".", null);
        }
        HttpPost message = message(hook, id, body);
        Future<?> deadline =
                deadlines.schedule(message::cancel, timeout.toMillis(), TimeUnit.MILLISECONDS);
        try {
            ClassicHttpResponse answer = http.executeOpen(null, message, null);
            DeliveryResult outcome = outcome(answer);
            closeResponse(answer, message);
            return outcome;
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                // Not a failure of the receiver.
                throw new IllegalStateException("A message was given up: the node stops", e);
            }
            return new Failed(null, failure(e, message.isCancelled()), null);
        } catch (RuntimeException e) {
            // Any failure of the library with a URL or a response belongs to this receiver.
            LOG.atDebug().addKeyValue("webhook_id", hook.id()).setCause(e).log("Not sent");
            return new Failed(null, "The message could not be sent.", null);
        } finally {
            deadline.cancel(false);
        }
    }

    private HttpPost message(EnabledWebhook hook, UUID id, byte[] body) {
        HttpPost message = new HttpPost(URI.create(hook.url()));
        long seconds = clock.instant().getEpochSecond();
        message.setHeader("webhook-id", id.toString());
        message.setHeader("webhook-timestamp", Long.toString(seconds));
        message.setHeader(
                "webhook-signature",
                WebhookSignature.of(hook.secrets(), id.toString(), seconds, body));
        message.setEntity(new ByteArrayEntity(body, CLOUD_EVENT));
        return message;
    }

    /** Aborts the connection if there is more content: a close would read all of it. */
    private static void closeResponse(ClassicHttpResponse answer, HttpPost message) {
        try (answer) {
            HttpEntity entity = answer.getEntity();
            if (entity != null) {
                InputStream content = entity.getContent();
                byte[] _ = content.readNBytes(MAX_RESPONSE_BYTES);
                if (content.read() >= 0) {
                    message.cancel();
                }
            }
        } catch (IOException e) {
            // The status is known, and nothing else is needed.
            message.cancel();
        }
    }

    private DeliveryResult outcome(ClassicHttpResponse answer) {
        int status = answer.getCode();
        if (status / 100 == 2) {
            return new Taken();
        }
        if (status == GONE) {
            return new Gone();
        }
        return new Failed(
                status,
                "The receiver answered " + status + ".",
                status == TOO_MANY_REQUESTS || status == UNAVAILABLE
                        ? requestedPause(answer.getFirstHeader("Retry-After"))
                        : null);
    }

    private @Nullable Duration requestedPause(@Nullable Header header) {
        if (header == null || header.getValue() == null) {
            return null;
        }
        String value = header.getValue().strip();
        try {
            Duration wanted =
                    value.matches("\\d{1,9}")
                            ? Duration.ofSeconds(Long.parseLong(value))
                            : Duration.between(clock.instant(), httpDate(value));
            if (wanted.isNegative()) {
                return null;
            }
            return wanted.compareTo(MAX_REQUESTED_PAUSE) < 0 ? wanted : MAX_REQUESTED_PAUSE;
        } catch (DateTimeException nonsense) {
            return null;
        }
    }

    private static Instant httpDate(String value) {
        return ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    }

    private static String failure(IOException e, boolean isTooLate) {
        if (isTooLate || e instanceof SocketTimeoutException) {
            return "There was no answer in time.";
        }
        return switch (e) {
            // As at the creation, one text for both: the difference would reveal internal names.
            case UnknownHostException _ ->
                    "The host has no known addresses, or not all of them are permitted.";
            case ConnectException _ -> "There was no connection to the host.";
            case SSLException _ -> "TLS failed: the certificate may not be a trusted one.";
            default -> "The connection broke before there was an answer.";
        };
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
        http.close(CloseMode.IMMEDIATE);
        connections.close(CloseMode.IMMEDIATE);
    }
}
