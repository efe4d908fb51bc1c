/** Kills the engine between any two of its durable effects; it is no part of the product. */
@NullMarked
package org.leasehold.chaos;

import org.jspecify.annotations.NullMarked;
