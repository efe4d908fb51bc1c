/** The nodes on one database, and their shares of the work. */
@NullMarked
package org.leasehold.saga.node;

import org.jspecify.annotations.NullMarked;
