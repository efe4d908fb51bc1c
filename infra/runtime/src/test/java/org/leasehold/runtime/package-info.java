/** Tests of the whole product, from its users' view. */
@NullMarked
package org.leasehold.runtime;

import org.jspecify.annotations.NullMarked;
