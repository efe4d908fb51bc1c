/** Planning of reservations of stacks, for any cloud. */
@NullMarked
package org.leasehold.resource.stack;

import org.jspecify.annotations.NullMarked;
