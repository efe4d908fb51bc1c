/** Several processes on one database: who is there, and who does how much. */
@NullMarked
package org.leasehold.saga.node;

import org.jspecify.annotations.NullMarked;
