/** The filter language in which a user describes resources. */
@NullMarked
package org.leasehold.resource.requirement;

import org.jspecify.annotations.NullMarked;
