/** The public part of the inventory: ids, properties, commands and events of resources. */
@NullMarked
package org.leasehold.inventory;

import org.jspecify.annotations.NullMarked;
