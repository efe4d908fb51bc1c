/** The HTTP edge: the configuration that its packages share. */
@NullMarked
package org.leasehold.gateway;

import org.jspecify.annotations.NullMarked;
