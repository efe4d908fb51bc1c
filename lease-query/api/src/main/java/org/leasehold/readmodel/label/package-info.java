/** Names of leases and resources, for answers that otherwise have only ids. */
@NullMarked
package org.leasehold.readmodel.label;

import org.jspecify.annotations.NullMarked;
