package org.leasehold.gateway.api.audit;

import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.readmodel.audit.SignedHeads;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/** Three heads, and two keys of which the second was signed by the first. */
public final class FakeSignedHeads implements SignedHeads {

    @Override
    public List<SignedHead> heads(long after, int limit) {
        return LongStream.rangeClosed(after + 1, 3)
                .limit(limit)
                .mapToObj(number -> new SignedHead(number, "{\"number\":" + number + "}", "c2ln"))
                .toList();
    }

    @Override
    public List<VerificationKey> keys() {
        Instant since = ApiTestServer.NOW;
        return List.of(
                new VerificationKey("one", "a2V5", since, null, null),
                new VerificationKey("two", "a2V5", since, "one", "c2ln"));
    }
}
