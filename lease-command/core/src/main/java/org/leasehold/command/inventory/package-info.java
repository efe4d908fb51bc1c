/** The life of a resource: its state, commands and decisions. */
@NullMarked
package org.leasehold.command.inventory;

import org.jspecify.annotations.NullMarked;
