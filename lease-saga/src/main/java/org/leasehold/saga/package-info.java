/** Types that all sagas share. */
@NullMarked
package org.leasehold.saga;

import org.jspecify.annotations.NullMarked;
