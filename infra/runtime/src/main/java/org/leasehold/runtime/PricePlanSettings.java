package org.leasehold.runtime;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

import java.nio.file.Path;

/**
 * What leases cost.
 *
 * @param plans a JSON file with the price plans, as {@code infra/rating.md} describes it; it is
 *     read at the start. Null where nothing costs anything
 */
@ConfigurationProperties(prefix = "leasehold.rating", ignoreUnknownFields = false)
record PricePlanSettings(@Nullable Path plans) {}
