/** Epochs of the history: the detection of events that the database has lost. */
@NullMarked
package org.leasehold.command.epoch;

import org.jspecify.annotations.NullMarked;
