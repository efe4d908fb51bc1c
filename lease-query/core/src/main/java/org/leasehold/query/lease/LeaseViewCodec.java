package org.leasehold.query.lease;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.leasehold.readmodel.lease.LeaseView;

import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * The stored form of a lease. A text that was decoded lately returns the same object again: lists
 * are polled, and most of their leases have not changed.
 */
final class LeaseViewCodec {

    /** Characters of the stored texts, each with its object: about 10,000 leases in 50 MB. */
    private static final long MAX_CACHED_CHARACTERS = 15_000_000;

    private final ObjectReader reader;
    private final ObjectWriter writer;
    private final Cache<String, LeaseView> decoded =
            Caffeine.newBuilder()
                    .maximumWeight(MAX_CACHED_CHARACTERS)
                    .weigher((String json, LeaseView _) -> json.length())
                    .build();

    LeaseViewCodec(JsonMapper mapper) {
        this.reader = mapper.readerFor(LeaseView.class);
        this.writer = mapper.writerFor(LeaseView.class);
    }

    String encode(LeaseView view) {
        return writer.writeValueAsString(view);
    }

    LeaseView decode(String json) {
        return decoded.get(json, reader::readValue);
    }
}
