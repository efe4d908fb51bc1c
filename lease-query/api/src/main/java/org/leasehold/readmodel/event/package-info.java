/** Event feed and positions in the event log. */
@NullMarked
package org.leasehold.readmodel.event;

import org.jspecify.annotations.NullMarked;
