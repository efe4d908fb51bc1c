/** The numbers of unfinished leases that limit a project. */
@NullMarked
package org.leasehold.command.count;

import org.jspecify.annotations.NullMarked;
