package org.leasehold.saga.watch;

import org.leasehold.saga.node.FailedPolls;
import org.leasehold.saga.node.Node;

import java.time.Clock;

/**
 * The context of the polls of a node.
 *
 * @param node this process, with its roles
 * @param failedPolls records the polls without an answer
 */
record PollContext(Clock clock, Node node, FailedPolls failedPolls) {}
