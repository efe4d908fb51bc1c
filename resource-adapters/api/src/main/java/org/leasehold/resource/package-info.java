/** The interface of a resource plug-in: a pure planning half and an idempotent acting half. */
@NullMarked
package org.leasehold.resource;

import org.jspecify.annotations.NullMarked;
