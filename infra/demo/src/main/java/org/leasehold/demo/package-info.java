/**
 * A year of plausible demand: who would have asked for what, what the engine made of it, and how it
 * all gets into a database where there is nothing yet.
 */
@NullMarked
package org.leasehold.demo;

import org.jspecify.annotations.NullMarked;
