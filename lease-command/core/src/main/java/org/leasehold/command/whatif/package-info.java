/** A replay of the past in another world, in memory. */
@NullMarked
package org.leasehold.command.whatif;

import org.jspecify.annotations.NullMarked;
