/** The filter language in which a user says what a resource must be. */
@NullMarked
package org.leasehold.resource.requirement;

import org.jspecify.annotations.NullMarked;
