package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;

import java.util.List;

class WebhookSignatureTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);

    /** A test vector of the libraries of Standard Webhooks. */
    private static final String EXPECTED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    @Test
    void a_signature_matches_the_standard_webhooks_test_vector() {
        assertThat(WebhookSignature.of(List.of(SECRET), ID, 1614265330, BODY)).isEqualTo(EXPECTED);
    }

    @Test
    void each_secret_adds_a_signature_in_the_given_order() {
        String other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

        String both = WebhookSignature.of(List.of(other, SECRET), ID, 1614265330, BODY);

        assertThat(both.split(" ", -1)).hasSize(2).doesNotHaveDuplicates();
        assertThat(both).endsWith(" " + EXPECTED);
    }
}
