/** Seals events as they come, and signs what has been sealed. Nothing here is made anew. */
@NullMarked
package org.leasehold.query.seal;

import org.jspecify.annotations.NullMarked;
