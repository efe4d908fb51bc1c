/** Looks time and again at what the cloud can give. */
@NullMarked
package org.leasehold.saga.watch;

import org.jspecify.annotations.NullMarked;
