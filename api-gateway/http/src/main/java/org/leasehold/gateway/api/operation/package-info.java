/**
 * Operation of the engine: read models, stuck actions, and drift between the records and the cloud.
 */
@NullMarked
package org.leasehold.gateway.api.operation;

import org.jspecify.annotations.NullMarked;
