/** What a reservation of a network means, on whatever cloud it is. */
@NullMarked
package org.leasehold.resource.network;

import org.jspecify.annotations.NullMarked;
