/** Commands that are sent when their time has come. */
@NullMarked
package org.leasehold.saga.timer;

import org.jspecify.annotations.NullMarked;
