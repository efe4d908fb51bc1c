/** Early attempts of retried requests, when capacity is freed. */
@NullMarked
package org.leasehold.saga.retry;

import org.jspecify.annotations.NullMarked;
