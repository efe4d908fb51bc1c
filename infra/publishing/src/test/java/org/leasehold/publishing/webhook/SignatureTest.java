package org.leasehold.publishing.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;

import java.util.List;

class SignatureTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);

    /** A test vector of the libraries of Standard Webhooks. */
    private static final String EXPECTED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    @Test
    void a_message_is_signed_as_standard_webhooks_has_it() {
        assertThat(Signature.of(List.of(SECRET), ID, 1614265330, BODY)).isEqualTo(EXPECTED);
    }

    @Test
    void each_secret_signs_the_newest_first() {
        String other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

        String both = Signature.of(List.of(other, SECRET), ID, 1614265330, BODY);

        assertThat(both.split(" ", -1)).hasSize(2).doesNotHaveDuplicates();
        assertThat(both).endsWith(" " + EXPECTED);
    }
}
