/** What a resource plugin is: a pure planning half and an idempotent acting half. */
@NullMarked
package org.leasehold.resource;

import org.jspecify.annotations.NullMarked;
