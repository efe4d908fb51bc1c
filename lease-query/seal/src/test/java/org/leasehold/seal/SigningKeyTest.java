package org.leasehold.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.leasehold.seal.TrustedKeys.Shown;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Base64;
import java.util.HexFormat;

class SigningKeyTest {

    private final SigningKey key = SigningKey.of(SigningKey.generate());
    private final TrustedKeys keys = new TrustedKeys();

    /** The first test vector of RFC 8032, as OpenSSL writes it. */
    @Test
    void the_public_key_is_derived_from_the_private_key() {
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
    void only_a_signature_by_a_trusted_key_is_accepted() {
        TreeHead head = head(key.id(), 7);
        byte[] signature = key.sign(head);
        assertThat(keys.verify(head, signature)).isFalse();

        keys.trust(key.publicKey());

        assertThat(keys.verify(head, signature)).isTrue();
        assertThat(keys.verify(head(key.id(), 8), signature)).isFalse();
        SigningKey another = SigningKey.of(SigningKey.generate());
        assertThat(keys.verify(head, another.sign(head))).isFalse();
        assertThat(keys.verify(head(another.id(), 7), another.sign(head(another.id(), 7))))
                .isFalse();
    }

    @Test
    void a_successor_key_is_trusted_if_the_previous_key_signed_it() {
        SigningKey next = SigningKey.of(SigningKey.generate());
        TreeHead head = head(next.id(), 7);
        keys.trust(key.publicKey());

        keys.trustSuccessor(shown(next, next));
        keys.trustSuccessor(new Shown(next.id(), base64(next.publicKey()), null, null));
        assertThat(keys.verify(head, next.sign(head))).isFalse();

        keys.trustSuccessor(shown(next, key));
        assertThat(keys.verify(head, next.sign(head))).isTrue();
    }

    @Test
    void an_invalid_key_file_is_rejected_without_revealing_the_content() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SigningKey.of("secret"))
                .withMessageNotContaining("secret")
                .withNoCause();
        assertThat(key.toString()).isEqualTo(key.id());
    }

    @Test
    void a_head_is_read_as_it_was_written() {
        TreeHead head = head(key.id(), 7);

        assertThat(TreeHead.of(head.text())).isEqualTo(head);
        assertThatIllegalArgumentException().isThrownBy(() -> TreeHead.of(head.text() + " "));
    }

    private static Shown shown(SigningKey next, SigningKey by) {
        return new Shown(
                next.id(), base64(next.publicKey()), by.id(), base64(by.signSuccessor(next)));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static TreeHead head(String key, long position) {
        return new TreeHead(
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
