/** Tells others what happened, whether they ask or not. */
@NullMarked
package org.leasehold.publishing;

import org.jspecify.annotations.NullMarked;
