/** The inventory and its holders, read from the tables that the write side updates. */
@NullMarked
package org.leasehold.query.resource;

import org.jspecify.annotations.NullMarked;
