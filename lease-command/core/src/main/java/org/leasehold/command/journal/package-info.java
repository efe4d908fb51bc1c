/** The path from commands to stored events, once and in order. */
@NullMarked
package org.leasehold.command.journal;

import org.jspecify.annotations.NullMarked;
