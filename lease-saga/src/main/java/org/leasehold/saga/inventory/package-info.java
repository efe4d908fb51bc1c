/** A resource that is enrolled or retired is told to the cloud. */
@NullMarked
package org.leasehold.saga.inventory;

import org.jspecify.annotations.NullMarked;
