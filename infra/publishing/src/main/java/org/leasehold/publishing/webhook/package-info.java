/** Sends what happens to addresses that projects have named. */
@NullMarked
package org.leasehold.publishing.webhook;

import org.jspecify.annotations.NullMarked;
