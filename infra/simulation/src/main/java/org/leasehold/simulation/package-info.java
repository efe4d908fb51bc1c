/**
 * The whole engine in one thread, on a clock that only moves when it is told to.
 *
 * <p>To be read from the top down: {@code Simulate} runs {@code Scenario}s, which consist of {@code
 * Step}s. {@code Simulation} lets chance choose from the {@code Agenda} what happens next. It
 * happens on a {@code Node}, which can die or stand still and runs an {@code EngineProcess}; what
 * survives its death is the {@code Engine}. {@code Outside} are the users, and {@code Invariants}
 * what must always hold. A scenario that fails is made smaller by {@code Shrinking}.
 */
@NullMarked
package org.leasehold.simulation;

import org.jspecify.annotations.NullMarked;
