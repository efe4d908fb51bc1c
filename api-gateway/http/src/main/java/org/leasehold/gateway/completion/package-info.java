/** Completion of requests by the cloud before a decision. */
@NullMarked
package org.leasehold.gateway.completion;

import org.jspecify.annotations.NullMarked;
