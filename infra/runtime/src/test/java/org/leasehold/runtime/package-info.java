/** The whole product, as its users meet it. */
@NullMarked
package org.leasehold.runtime;

import org.jspecify.annotations.NullMarked;
