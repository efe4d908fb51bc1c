/** The replay of the past in another scenario, in memory. */
@NullMarked
package org.leasehold.command.whatif;

import org.jspecify.annotations.NullMarked;
