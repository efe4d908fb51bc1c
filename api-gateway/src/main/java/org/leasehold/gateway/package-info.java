/** The HTTP edge: what its packages share of the configuration. */
@NullMarked
package org.leasehold.gateway;

import org.jspecify.annotations.NullMarked;
