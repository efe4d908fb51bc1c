/** The observed use of leased resources. */
@NullMarked
package org.leasehold.command.use;

import org.jspecify.annotations.NullMarked;
