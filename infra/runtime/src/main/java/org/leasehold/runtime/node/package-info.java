/**
 * The work of a node: event processors, projections, publications, the clock check, and
 * housekeeping.
 */
@NullMarked
package org.leasehold.runtime.node;

import org.jspecify.annotations.NullMarked;
