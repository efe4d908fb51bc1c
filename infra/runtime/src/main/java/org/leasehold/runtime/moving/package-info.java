/** The import of the leases and resources of a running Blazar, with the same ids. */
@NullMarked
package org.leasehold.runtime.moving;

import org.jspecify.annotations.NullMarked;
