package org.leasehold.publishing.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of a message, with its sender and time, as in Standard Webhooks. */
final class WebhookSignature {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    private WebhookSignature() {}

    /**
     * Returns the header of a message: one signature by each secret.
     *
     * @param seconds the message's time, in seconds since 1970
     */
    static String of(List<String> secrets, String id, long seconds, byte[] body) {
        return secrets.stream()
                .map(secret -> "v1," + of(secret, id, seconds, body))
                .collect(Collectors.joining(" "));
    }

    private static String of(String secret, String id, long seconds, byte[] body) {
        byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update((id + "." + seconds + ".").getBytes(UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }
}
