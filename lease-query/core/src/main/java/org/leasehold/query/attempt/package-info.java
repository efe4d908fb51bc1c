/** Denials and rejections, as the write side and the gateway have recorded them. */
@NullMarked
package org.leasehold.query.attempt;

import org.jspecify.annotations.NullMarked;
