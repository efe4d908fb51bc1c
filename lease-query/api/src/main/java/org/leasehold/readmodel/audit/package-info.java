/** Audit trail, denied attempts, origins of requests, and seals. */
@NullMarked
package org.leasehold.readmodel.audit;

import org.jspecify.annotations.NullMarked;
