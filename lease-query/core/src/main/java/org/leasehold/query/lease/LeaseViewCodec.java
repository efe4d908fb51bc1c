package org.leasehold.query.lease;

import org.leasehold.query.LeaseView;

import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** The stored form of a lease. */
final class LeaseViewCodec {

    private final ObjectReader reader;
    private final ObjectWriter writer;

    LeaseViewCodec(JsonMapper mapper) {
        this.reader = mapper.readerFor(LeaseView.class);
        this.writer = mapper.writerFor(LeaseView.class);
    }

    String encode(LeaseView view) {
        return writer.writeValueAsString(view);
    }

    LeaseView decode(String json) {
        return reader.readValue(json);
    }
}
