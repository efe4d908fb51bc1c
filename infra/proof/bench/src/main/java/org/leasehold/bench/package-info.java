/** Measures the product from outside: over HTTP, and in the tables of its database. */
@NullMarked
package org.leasehold.bench;

import org.jspecify.annotations.NullMarked;
