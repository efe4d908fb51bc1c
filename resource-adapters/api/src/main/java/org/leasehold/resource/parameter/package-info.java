/** Parsing of reservations' parameters, for all kinds. */
@NullMarked
package org.leasehold.resource.parameter;

import org.jspecify.annotations.NullMarked;
