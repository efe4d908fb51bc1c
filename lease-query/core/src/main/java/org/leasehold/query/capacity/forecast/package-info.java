/** Forecasts of capacity and its use from past hours. */
@NullMarked
package org.leasehold.query.capacity.forecast;

import org.jspecify.annotations.NullMarked;
