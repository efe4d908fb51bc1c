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
 * The trusted keys: one from a trusted source, and its successors, each signed by a key that is
 * already trusted.
 */
public final class TrustedKeys {

    static final String ALGORITHM = "Ed25519";

    /** A prefix, so that no signature of a key can be mistaken for one of a head. */
    private static final String SUCCESSOR_PREFIX = "leasehold key ";

    private final Map<String, PublicKey> trustedKeys = new HashMap<>();

    /**
     * A key as an export has it.
     *
     * @param encoded X.509, in Base64
     * @param signedBy the key before it; null if that did not sign it
     * @param signature of {@link #successorMessage}, in Base64; null together with {@code signedBy}
     */
    public record Shown(
            String id, String encoded, @Nullable String signedBy, @Nullable String signature) {}

    /**
     * Trusts a key.
     *
     * @throws IllegalArgumentException if it is no public key of Ed25519
     */
    public void trust(byte[] encoded) {
        trustedKeys.put(id(encoded), decode(encoded));
    }

    /** Trusts a key if a trusted key signed it. */
    public void trustSuccessor(Shown key) {
        byte[] encoded = Base64.getDecoder().decode(key.encoded());
        if (key.signedBy() != null
                && key.signature() != null
                && id(encoded).equals(key.id())
                && verify(
                        key.signedBy(),
                        successorMessage(key.id()),
                        Base64.getDecoder().decode(key.signature()))) {
            trust(encoded);
        }
    }

    /** Returns the message that is signed to name a successor. */
    static byte[] successorMessage(String id) {
        return bytes(SUCCESSOR_PREFIX + id);
    }

    /** Returns whether a trusted key has signed a head. */
    public boolean verify(TreeHead head, byte[] signature) {
        return verify(head.key(), bytes(head.text()), signature);
    }

    private boolean verify(String id, byte[] message, byte[] signature) {
        PublicKey key = trustedKeys.get(id);
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

    /** Returns the id of a key in heads: the first half of its hash. */
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
