/** What Blazar's API looks like, for the description that is served. */
@NullMarked
package org.leasehold.gateway.v1.description;

import org.jspecify.annotations.NullMarked;
