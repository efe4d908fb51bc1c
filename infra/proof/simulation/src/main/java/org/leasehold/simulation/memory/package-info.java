/**
 * The parts of an engine in memory: its sagas, queries, clock and ids, all in one thread. The demo
 * uses them, too.
 */
@NullMarked
package org.leasehold.simulation.memory;

import org.jspecify.annotations.NullMarked;
