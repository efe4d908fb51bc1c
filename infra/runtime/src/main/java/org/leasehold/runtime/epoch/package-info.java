/** The epoch check, which detects a database that has lost events. */
@NullMarked
package org.leasehold.runtime.epoch;

import org.jspecify.annotations.NullMarked;
