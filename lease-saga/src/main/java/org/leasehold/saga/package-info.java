/** What all processes share. */
@NullMarked
package org.leasehold.saga;

import org.jspecify.annotations.NullMarked;
