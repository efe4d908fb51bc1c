/** The execution of commands: routing, transactions, group commit, and retries after conflicts. */
@NullMarked
package org.leasehold.command.execution;

import org.jspecify.annotations.NullMarked;
