/** Kills the engine between any two of its durable effects; no part of the product. */
@NullMarked
package org.leasehold.chaos;

import org.jspecify.annotations.NullMarked;
