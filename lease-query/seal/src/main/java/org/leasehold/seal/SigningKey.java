package org.leasehold.seal;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** Signs heads with Ed25519. It never reveals the private half. */
public final class SigningKey {

    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private final PrivateKey key;
    private final byte[] publicKey;

    private SigningKey(PrivateKey key, byte[] publicKey) {
        this.key = key;
        this.publicKey = publicKey;
    }

    /** Returns a new key as text, as {@code openssl genpkey -algorithm ed25519} does. */
    public static String generate() {
        try {
            byte[] encoded =
                    KeyPairGenerator.getInstance(TrustedKeys.ALGORITHM)
                            .generateKeyPair()
                            .getPrivate()
                            .getEncoded();
            return BEGIN + "\n" + Base64.getEncoder().encodeToString(encoded) + "\n" + END + "\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has Ed25519", e);
        }
    }

    /**
     * Reads a key.
     *
     * @param pem PKCS #8
     * @throws IllegalArgumentException if it is no private key of Ed25519; the message hides the
     *     text
     */
    public static SigningKey of(String pem) {
        try {
            String base64 = pem.replace(BEGIN, "").replace(END, "").replaceAll("\\s", "");
            PrivateKey key =
                    KeyFactory.getInstance(TrustedKeys.ALGORITHM)
                            .generatePrivate(
                                    new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
            return new SigningKey(key, publicKey((EdECPrivateKey) key).getPublic().getEncoded());
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException("not a private key of Ed25519's in PEM");
        }
    }

    /**
     * Derives the public half, which the file does not have. The JDK can only generate both halves
     * together, from random bytes that are the private half: here these bytes are given.
     */
    private static KeyPair publicKey(EdECPrivateKey key) throws GeneralSecurityException {
        byte[] seed = key.getBytes().orElseThrow();
        KeyPairGenerator pairs = KeyPairGenerator.getInstance(TrustedKeys.ALGORITHM);
        pairs.initialize(
                255,
                new SecureRandom() {
                    @Override
                    public void nextBytes(byte[] bytes) {
                        System.arraycopy(seed, 0, bytes, 0, bytes.length);
                    }
                });
        return pairs.generateKeyPair();
    }

    public String id() {
        return TrustedKeys.id(publicKey);
    }

    /** Returns the public half, X.509. */
    public byte[] publicKey() {
        return publicKey.clone();
    }

    public byte[] sign(TreeHead head) {
        return sign(TrustedKeys.bytes(head.text()));
    }

    /** Signs that a key is the successor of this one. */
    public byte[] signSuccessor(SigningKey next) {
        return sign(TrustedKeys.successorMessage(next.id()));
    }

    private byte[] sign(byte[] message) {
        try {
            Signature signing = Signature.getInstance(TrustedKeys.ALGORITHM);
            signing.initSign(key);
            signing.update(message);
            return signing.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign", e);
        }
    }

    /** Returns its id alone, which is no secret. */
    @Override
    public String toString() {
        return id();
    }
}
