/**
 * State of the engine for its operators: stuck actions, calls of the cloud, drift, and projections.
 */
@NullMarked
package org.leasehold.readmodel.operation;

import org.jspecify.annotations.NullMarked;
