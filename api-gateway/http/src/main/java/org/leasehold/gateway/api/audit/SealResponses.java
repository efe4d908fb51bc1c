package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.SignedHeads.SignedHead;
import org.leasehold.readmodel.audit.SignedHeads.VerificationKey;

import java.time.Instant;
import java.util.List;

/** Responses about seals for auditors. */
public final class SealResponses {

    private SealResponses() {}

    /** Heads, oldest first. */
    record HeadPage(List<SealHead> heads, @Nullable Long next) {

        static HeadPage of(Page<SignedHead> page) {
            String next = page.next();
            return new HeadPage(
                    page.items().stream().map(SealHead::of).toList(),
                    next == null ? null : Long.valueOf(next));
        }
    }

    /** A signed head, which covers all events up to a position. */
    record SealHead(long number, String text, String signature) {

        static SealHead of(SignedHead head) {
            return new SealHead(head.number(), head.text(), head.signature());
        }
    }

    /** Keys that verify signatures, oldest first. */
    record KeyList(List<SealKey> keys, @Nullable String next) {}

    /** A key that has signed heads. */
    record SealKey(
            String id,
            String publicKey,
            Instant since,
            @Nullable String signedBy,
            @Nullable String signature) {

        static SealKey of(VerificationKey key) {
            return new SealKey(
                    key.id(), key.publicKey(), key.since(), key.signedBy(), key.signature());
        }
    }
}
