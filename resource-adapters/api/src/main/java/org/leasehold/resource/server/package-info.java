/** What a reservation of a server that its project has already means, on whatever cloud it is. */
@NullMarked
package org.leasehold.resource.server;

import org.jspecify.annotations.NullMarked;
