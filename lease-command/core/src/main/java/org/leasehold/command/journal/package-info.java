/** The event log: the stored form of events, their append, and their readers. */
@NullMarked
package org.leasehold.command.journal;

import org.jspecify.annotations.NullMarked;
