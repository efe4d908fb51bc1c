/** Reads stored events: to rebuild what follows from them, and to verify what is stored of it. */
@NullMarked
package org.leasehold.history;

import org.jspecify.annotations.NullMarked;
