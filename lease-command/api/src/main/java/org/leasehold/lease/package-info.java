/** The public part of leases: their ids, commands, events and rejections. */
@NullMarked
package org.leasehold.lease;

import org.jspecify.annotations.NullMarked;
