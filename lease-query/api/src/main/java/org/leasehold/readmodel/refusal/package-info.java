/** Requests that the calendar could not hold. */
@NullMarked
package org.leasehold.readmodel.refusal;

import org.jspecify.annotations.NullMarked;
