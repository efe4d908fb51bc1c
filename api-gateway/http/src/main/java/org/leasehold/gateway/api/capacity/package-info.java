/**
 * Capacity: free resources in a window, forecasts, and windows in which a reservation is possible.
 */
@NullMarked
package org.leasehold.gateway.api.capacity;

import org.jspecify.annotations.NullMarked;
