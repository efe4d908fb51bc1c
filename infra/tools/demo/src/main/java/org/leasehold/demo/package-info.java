/**
 * A year of plausible demand: the requests, the engine's history of them, and its import into an
 * empty database.
 */
@NullMarked
package org.leasehold.demo;

import org.jspecify.annotations.NullMarked;
