package org.leasehold.gateway.v1.lease;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.leasehold.gateway.v1.http.V1Json;
import org.leasehold.readmodel.lease.LeaseView;
import org.leasehold.wire.blazar.LeaseRendering;

import tools.jackson.core.SerializableString;

/**
 * Leases as JSON text for lists. The text of a lease stays cached as long as its object exists: a
 * list that is polled is written from bytes.
 */
final class RenderedLeaseCache {

    /** The most bytes of all texts. */
    private static final long MAX_BYTES = 16_000_000;

    private final LeaseRendering rendering;

    /** Texts by identity: the read model returns the same object for an unchanged lease. */
    private final Cache<LeaseView, SerializableString> texts =
            Caffeine.newBuilder()
                    .weakKeys()
                    .maximumWeight(MAX_BYTES)
                    .weigher((LeaseView _, SerializableString text) -> text.asUnquotedUTF8().length)
                    .build();

    RenderedLeaseCache(LeaseRendering rendering) {
        this.rendering = rendering;
    }

    SerializableString renderedText(LeaseView lease) {
        return texts.get(lease, each -> V1Json.serialize(rendering.render(each)));
    }
}
