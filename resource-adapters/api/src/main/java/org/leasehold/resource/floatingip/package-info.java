/** What a reservation of floating IPs means, on whatever cloud they are. */
@NullMarked
package org.leasehold.resource.floatingip;

import org.jspecify.annotations.NullMarked;
