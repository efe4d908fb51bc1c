/** The origins of requests, as the write side has recorded them. */
@NullMarked
package org.leasehold.query.origin;

import org.jspecify.annotations.NullMarked;
