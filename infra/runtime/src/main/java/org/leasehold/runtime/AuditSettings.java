package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What signs the heads of the seals, and for how long it is kept where requests came from.
 *
 * @param signingKey a file with a private key of Ed25519's, PKCS #8 in PEM; null for the one that
 *     the embedded default makes, and for none with another database
 * @param formerSigningKey the one before it, for the first start with a new one: it signs that the
 *     new one comes after it; null if there is none, or it is lost
 * @param originsKept for how long it is kept from which addresses requests came
 */
@ConfigurationProperties(prefix = "leasehold.audit", ignoreUnknownFields = false)
record AuditSettings(
        @Nullable Path signingKey,
        @Nullable Path formerSigningKey,
        @DefaultValue("90d") Duration originsKept) {

    AuditSettings {
        if (originsKept.isNegative()) {
            throw new IllegalArgumentException("origins-kept is not negative: " + originsKept);
        }
    }
}
