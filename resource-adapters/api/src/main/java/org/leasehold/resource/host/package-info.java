/** What a reservation of whole hosts means, on whatever cloud the hosts are. */
@NullMarked
package org.leasehold.resource.host;

import org.jspecify.annotations.NullMarked;
