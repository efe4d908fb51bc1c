/** The life of a resource. */
@NullMarked
package org.leasehold.command.inventory;

import org.jspecify.annotations.NullMarked;
