package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.nio.file.Path;

/**
 * What signs the heads of the seals.
 *
 * @param signingKey a file with a private key of Ed25519's, PKCS #8 in PEM; null for the one that
 *     the embedded default makes, and for none with another database
 * @param formerSigningKey the one before it, for the first start with a new one: it signs that the
 *     new one comes after it; null if there is none, or it is lost
 */
@ConfigurationProperties(prefix = "leasehold.audit", ignoreUnknownFields = false)
record AuditSettings(@Nullable Path signingKey, @Nullable Path formerSigningKey) {}
