/** The entry point of the write side: send a command, get its outcome. */
@NullMarked
package org.leasehold.command;

import org.jspecify.annotations.NullMarked;
