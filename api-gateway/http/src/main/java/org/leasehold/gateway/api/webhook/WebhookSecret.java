package org.leasehold.gateway.api.webhook;

import java.security.SecureRandom;
import java.util.Base64;

/** The secret that signs messages to a webhook, in the form of Standard Webhooks. */
record WebhookSecret(String text) {

    private static final String PREFIX = "whsec_";
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    static WebhookSecret generate() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new WebhookSecret(PREFIX + Base64.getEncoder().encodeToString(bytes));
    }

    /** Keeps the secret out of logs. */
    @Override
    public String toString() {
        return "a secret";
    }
}
