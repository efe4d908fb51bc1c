/** What the cloud says of a wish before anybody decides on it. */
@NullMarked
package org.leasehold.gateway.completion;

import org.jspecify.annotations.NullMarked;
