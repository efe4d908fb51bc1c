/** An entry for each event: an index of the event log, with the project that may read it. */
@NullMarked
package org.leasehold.query.entry;

import org.jspecify.annotations.NullMarked;
