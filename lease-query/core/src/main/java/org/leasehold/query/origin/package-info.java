/** Where requests came from, as the write side has noted it down. */
@NullMarked
package org.leasehold.query.origin;

import org.jspecify.annotations.NullMarked;
