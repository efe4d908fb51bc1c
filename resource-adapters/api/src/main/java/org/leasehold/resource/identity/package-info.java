/** Who the cloud's users are. */
@NullMarked
package org.leasehold.resource.identity;

import org.jspecify.annotations.NullMarked;
