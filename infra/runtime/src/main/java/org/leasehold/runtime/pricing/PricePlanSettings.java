package org.leasehold.runtime.pricing;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;

/**
 * Settings of the prices of leases.
 *
 * @param plans a JSON file with the price plans, as {@code infra/docs/rating.md} describes it; the
 *     engine reads it at the start. Null if leases have no price, or example prices
 * @param examplePlans without a file, leases have the prices of {@code
 *     infra/docs/rating/example-plans.json}; true in the embedded default with a simulated cloud
 */
@ConfigurationProperties(prefix = "leasehold.rating", ignoreUnknownFields = false)
record PricePlanSettings(@Nullable Path plans, @DefaultValue("false") boolean examplePlans) {}
