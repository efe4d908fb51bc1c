package org.leasehold.query;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/** What has been signed of the events, and by which keys. */
public interface Seals {

    /** Heads after a number, in order, so many at most. */
    List<SignedHead> heads(long after, int limit);

    /** All keys that have signed, in the order in which they came. */
    List<VerificationKey> keys();

    /**
     * A head: everything up to a position.
     *
     * @param text its canonical JSON, which is what is signed
     * @param signature Ed25519, in Base64
     */
    record SignedHead(long number, String text, String signature) {}

    /**
     * A key by which signatures are verified.
     *
     * @param id what heads call it
     * @param publicKey X.509, in Base64
     * @param signedBy the key before it; null if it was not at hand to sign
     * @param signature of what names the successor, in Base64; null together with who made it
     */
    record VerificationKey(
            String id,
            String publicKey,
            Instant since,
            @Nullable String signedBy,
            @Nullable String signature) {}
}
