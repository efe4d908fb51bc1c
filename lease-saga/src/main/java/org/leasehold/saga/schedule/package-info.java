/** When a lease starts, announces its end and ends. */
@NullMarked
package org.leasehold.saga.schedule;

import org.jspecify.annotations.NullMarked;
