/** An entry for each event: the table of contents of the whole history, and who may read it. */
@NullMarked
package org.leasehold.query.entry;

import org.jspecify.annotations.NullMarked;
