/**
 * Parameters and positions of queries: time windows, past instants, requirements, and the events
 * that a response includes.
 */
@NullMarked
package org.leasehold.gateway.api.query;

import org.jspecify.annotations.NullMarked;
