package org.leasehold.runtime.audit;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings of the audit: the key that signs heads, and the retention of the origins of requests.
 *
 * @param signingKey a file with an Ed25519 private key, PKCS #8 in PEM. If null, the embedded
 *     default creates a key, and an engine on another database has none
 * @param formerSigningKey the previous key, for the first start with a new one. It signs that the
 *     new key succeeds it. Null if there is none, or it is lost
 * @param originsKept the retention of the addresses from which requests came
 * @param readsKept the retention of the records of privileged reads
 */
@ConfigurationProperties(prefix = "leasehold.audit", ignoreUnknownFields = false)
public record AuditSettings(
        @Nullable Path signingKey,
        @Nullable Path formerSigningKey,
        @DefaultValue("90d") Duration originsKept,
        @DefaultValue("400d") Duration readsKept) {

    public AuditSettings {
        if (originsKept.isNegative()) {
            throw new IllegalArgumentException("origins-kept is not negative: " + originsKept);
        }
        if (readsKept.isNegative()) {
            throw new IllegalArgumentException("reads-kept is not negative: " + readsKept);
        }
    }
}
