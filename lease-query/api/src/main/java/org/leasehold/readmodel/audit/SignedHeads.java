package org.leasehold.readmodel.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.UnknownMarker;

import java.time.Instant;

/** The signed heads of the event log, and the keys. */
public interface SignedHeads {

    /**
     * Returns the heads after a number, in order.
     *
     * @param limit the largest number of heads
     */
    Page<SignedHead> heads(long after, int limit);

    /**
     * Returns keys that have signed, in order of their creation.
     *
     * @param marker the end of the page before; null for the first page
     * @param limit the largest number of keys
     * @throws UnknownMarker if no page gave the marker
     */
    Page<VerificationKey> keys(@Nullable String marker, int limit);

    /**
     * A head, which covers everything up to a position.
     *
     * @param text its canonical JSON, which is signed
     * @param signature Ed25519, in Base64
     */
    record SignedHead(long number, String text, String signature) {}

    /**
     * A key that verifies signatures.
     *
     * @param id the id that heads use
     * @param publicKey X.509, in Base64
     * @param signedBy the key before it; null if that was not available to sign
     * @param signature of the succession, in Base64, by the key before; null together with signedBy
     */
    record VerificationKey(
            String id,
            String publicKey,
            Instant since,
            @Nullable String signedBy,
            @Nullable String signature) {}
}
