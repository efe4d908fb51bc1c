/** Sagas' reactions to events, and their execution. */
@NullMarked
package org.leasehold.saga.reaction;

import org.jspecify.annotations.NullMarked;
