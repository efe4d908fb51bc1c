/**
 * The whole engine in one thread, on a clock that moves only on request.
 *
 * <p>Read it from the top down: {@code Simulate} runs {@code Scenario}s, which consist of {@code
 * Step}s. {@code Simulation} lets chance select the next action from the {@code PendingWork}. The
 * action runs on a {@code SimulatedNode}, which can die or pause and runs an {@code EngineProcess};
 * the {@code DurableState} survives the node's death. {@code SimulatedUsers} acts for the projects,
 * {@code SimulatedOperator} for the operator, and {@code Invariants} checks the rules. {@code
 * ScenarioShrinker} reduces a failing scenario.
 */
@NullMarked
package org.leasehold.simulation;

import org.jspecify.annotations.NullMarked;
