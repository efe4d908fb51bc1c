/** What a reservation of a stack means, on whatever cloud it is. */
@NullMarked
package org.leasehold.resource.stack;

import org.jspecify.annotations.NullMarked;
