/** The inventory and who holds what of it, read from the tables that the write side keeps. */
@NullMarked
package org.leasehold.query.resource;

import org.jspecify.annotations.NullMarked;
