package org.leasehold.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.leasehold.seal.PublicKeys.Shown;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Base64;
import java.util.HexFormat;

class SigningKeyTest {

    private final SigningKey key = SigningKey.of(SigningKey.generate());
    private final PublicKeys keys = new PublicKeys();

    /** The first test vector of RFC 8032, as OpenSSL writes it. */
    @Test
    void the_public_half_follows_from_the_private_one() {
        byte[] pkcs8 =
                HexFormat.of()
                        .parseHex(
                                "302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc4"
                                        + "4449c5697b326919703bac031cae7f60");

        SigningKey known =
                SigningKey.of(
                        "-----BEGIN PRIVATE KEY-----\n"
                                + Base64.getEncoder().encodeToString(pkcs8)
                                + "\n-----END PRIVATE KEY-----\n");

        assertThat(HexFormat.of().formatHex(known.publicKey()))
                .isEqualTo(
                        "302a300506032b6570032100d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325"
                                + "af021a68f707511a");
    }

    @Test
    void what_was_signed_is_believed_by_who_has_the_key_and_nothing_else_is() {
        Head head = head(key.id(), 7);
        byte[] signature = key.sign(head);
        assertThat(keys.verify(head, signature)).isFalse();

        keys.believe(key.publicKey());

        assertThat(keys.verify(head, signature)).isTrue();
        assertThat(keys.verify(head(key.id(), 8), signature)).isFalse();
        SigningKey another = SigningKey.of(SigningKey.generate());
        assertThat(keys.verify(head, another.sign(head))).isFalse();
        assertThat(keys.verify(head(another.id(), 7), another.sign(head(another.id(), 7))))
                .isFalse();
    }

    @Test
    void a_successor_is_believed_if_the_key_before_it_says_so() {
        SigningKey next = SigningKey.of(SigningKey.generate());
        Head head = head(next.id(), 7);
        keys.believe(key.publicKey());

        keys.succeed(shown(next, next));
        keys.succeed(new Shown(next.id(), base64(next.publicKey()), null, null));
        assertThat(keys.verify(head, next.sign(head))).isFalse();

        keys.succeed(shown(next, key));
        assertThat(keys.verify(head, next.sign(head))).isTrue();
    }

    @Test
    void a_file_that_holds_no_key_is_refused_without_a_word_of_what_it_holds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SigningKey.of("secret"))
                .withMessageNotContaining("secret")
                .withNoCause();
        assertThat(key.toString()).isEqualTo(key.id());
    }

    @Test
    void a_head_is_read_as_it_was_written() {
        Head head = head(key.id(), 7);

        assertThat(Head.of(head.text())).isEqualTo(head);
        assertThatIllegalArgumentException().isThrownBy(() -> Head.of(head.text() + " "));
    }

    private static Shown shown(SigningKey next, SigningKey by) {
        return new Shown(
                next.id(), base64(next.publicKey()), by.id(), base64(by.signSuccessor(next)));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static Head head(String key, long position) {
        return new Head(
                1,
                LocalDate.parse("2026-11-22"),
                Instant.parse("2026-11-23T00:00:10Z"),
                position,
                7,
                2,
                1,
                Hash.of("chain"),
                Hash.of("root"),
                Hash.NONE,
                key);
    }
}
