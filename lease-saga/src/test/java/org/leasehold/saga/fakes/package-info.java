/** Hand-written stand-ins for what the processes talk to. */
@NullMarked
package org.leasehold.saga.fakes;

import org.jspecify.annotations.NullMarked;
