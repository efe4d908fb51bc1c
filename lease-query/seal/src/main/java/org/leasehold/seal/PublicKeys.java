package org.leasehold.seal;

import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * The keys that are believed: one that somebody got in another way, and those that come after it,
 * each signed by one that is believed already.
 */
public final class PublicKeys {

    static final String ALGORITHM = "Ed25519";

    /** So that no signature of a key can be taken for one of a head. */
    private static final String SUCCESSION = "leasehold key ";

    private final Map<String, PublicKey> believed = new HashMap<>();

    /**
     * A key as it is shown.
     *
     * @param encoded X.509, in Base64
     * @param signedBy the key before it; null if that did not sign it
     * @param signature of {@link #successor}, in Base64; null together with who made it
     */
    public record Shown(
            String id, String encoded, @Nullable String signedBy, @Nullable String signature) {}

    /**
     * Believes a key.
     *
     * @throws IllegalArgumentException if it is no public key of Ed25519's
     */
    public void believe(byte[] encoded) {
        believed.put(id(encoded), decode(encoded));
    }

    /** Believes a key if one signed it that is believed. */
    public void succeed(Shown key) {
        byte[] encoded = Base64.getDecoder().decode(key.encoded());
        if (key.signedBy() != null
                && key.signature() != null
                && id(encoded).equals(key.id())
                && verify(
                        key.signedBy(),
                        successor(key.id()),
                        Base64.getDecoder().decode(key.signature()))) {
            believe(encoded);
        }
    }

    /** What is signed to name a successor. */
    static byte[] successor(String id) {
        return bytes(SUCCESSION + id);
    }

    /** Whether a key that is believed has signed a head. */
    public boolean verify(Head head, byte[] signature) {
        return verify(head.key(), bytes(head.text()), signature);
    }

    private boolean verify(String id, byte[] message, byte[] signature) {
        PublicKey key = believed.get(id);
        if (key == null) {
            return false;
        }
        try {
            Signature verifying = Signature.getInstance(ALGORITHM);
            verifying.initVerify(key);
            verifying.update(message);
            return verifying.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The first half of the hash of a key: what heads call it. */
    static String id(byte[] encoded) {
        return Hash.of(Hash.digest().digest(encoded)).hex().substring(0, 32);
    }

    private static PublicKey decode(byte[] encoded) {
        try {
            return KeyFactory.getInstance(ALGORITHM)
                    .generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not a public key of Ed25519's", e);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
}
