/** Routes for what a caller is and may do. */
@NullMarked
package org.leasehold.gateway.api.me;

import org.jspecify.annotations.NullMarked;
