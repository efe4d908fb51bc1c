package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.Nullable;
import org.leasehold.gateway.api.ApiTestServer;
import org.leasehold.readmodel.Page;
import org.leasehold.readmodel.audit.SignedHeads;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/** Three heads, and two keys of which the second was signed by the first. */
public final class FakeSignedHeads implements SignedHeads {

    @Override
    public Page<SignedHead> heads(long after, int limit) {
        List<SignedHead> found =
                LongStream.rangeClosed(after + 1, 3)
                        .mapToObj(
                                number ->
                                        new SignedHead(
                                                number, "{\"number\":" + number + "}", "c2ln"))
                        .toList();
        return Page.of(found, limit, last -> Long.toString(last.number()));
    }

    @Override
    public Page<VerificationKey> keys(@Nullable String marker, int limit) {
        Instant since = ApiTestServer.NOW;
        return Page.ofAll(
                List.of(
                        new VerificationKey("one", "a2V5", since, null, null),
                        new VerificationKey("two", "a2V5", since, "one", "c2ln")),
                VerificationKey::id,
                marker,
                limit);
    }
}
