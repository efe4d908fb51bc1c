/** Moving in: what a running Blazar holds, as it is there, with the same ids. */
@NullMarked
package org.leasehold.runtime.moving;

import org.jspecify.annotations.NullMarked;
