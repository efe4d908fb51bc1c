/** The life of a lease: its states, the decisions in each, and the shell that runs it. */
@NullMarked
package org.leasehold.command.lease;

import org.jspecify.annotations.NullMarked;
