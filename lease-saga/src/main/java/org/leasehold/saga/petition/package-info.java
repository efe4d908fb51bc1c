/** Things in the cloud on which is written that they are to be leased. */
@NullMarked
package org.leasehold.saga.petition;

import org.jspecify.annotations.NullMarked;
