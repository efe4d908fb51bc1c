/** Commands that are sent at a time. */
@NullMarked
package org.leasehold.saga.timer;

import org.jspecify.annotations.NullMarked;
