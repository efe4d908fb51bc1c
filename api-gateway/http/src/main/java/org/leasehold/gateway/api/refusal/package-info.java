/** Refused requests: why, when, and how often. */
@NullMarked
package org.leasehold.gateway.api.refusal;

import org.jspecify.annotations.NullMarked;
