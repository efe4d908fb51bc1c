/** What others may know of the resources that can be leased: ids, properties, commands, events. */
@NullMarked
package org.leasehold.inventory;

import org.jspecify.annotations.NullMarked;
