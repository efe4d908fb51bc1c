/**
 * Audit trail: search, causes and effects, denied attempts, export, seals, and erasure of origins.
 */
@NullMarked
package org.leasehold.gateway.api.audit;

import org.jspecify.annotations.NullMarked;
