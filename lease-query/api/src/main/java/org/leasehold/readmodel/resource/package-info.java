/** Resources with their properties and observed use, now and in the past. */
@NullMarked
package org.leasehold.readmodel.resource;

import org.jspecify.annotations.NullMarked;
