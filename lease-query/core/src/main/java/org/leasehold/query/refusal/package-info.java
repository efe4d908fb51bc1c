/** Refused leases and changes, from the event log. */
@NullMarked
package org.leasehold.query.refusal;

import org.jspecify.annotations.NullMarked;
