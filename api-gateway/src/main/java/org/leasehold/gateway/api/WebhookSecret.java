package org.leasehold.gateway.api;

import java.security.SecureRandom;
import java.util.Base64;

/** What messages to a webhook are signed with, as Standard Webhooks writes it. */
record WebhookSecret(String text) {

    private static final String PREFIX = "whsec_";
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    static WebhookSecret any() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new WebhookSecret(PREFIX + Base64.getEncoder().encodeToString(bytes));
    }

    /** Does not tell it to a log. */
    @Override
    public String toString() {
        return "a secret";
    }
}
