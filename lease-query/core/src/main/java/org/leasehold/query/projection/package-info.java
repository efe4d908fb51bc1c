/**
 * Read models that follow the event log asynchronously: each in its own transaction, which moves
 * the rows and their position.
 */
@NullMarked
package org.leasehold.query.projection;

import org.jspecify.annotations.NullMarked;
