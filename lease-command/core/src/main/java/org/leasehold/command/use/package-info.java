/** What leases really use. */
@NullMarked
package org.leasehold.command.use;

import org.jspecify.annotations.NullMarked;
