/** The scenarios of the simulation: the steps of users, operators and faults, drawn from a seed. */
@NullMarked
package org.leasehold.simulation.scenario;

import org.jspecify.annotations.NullMarked;
