/** What a reservation of a volume means, on whatever cloud it is. */
@NullMarked
package org.leasehold.resource.volume;

import org.jspecify.annotations.NullMarked;
