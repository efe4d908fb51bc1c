/**
 * What happened, read back: to make anew what follows from it, and to verify what is kept of it.
 */
@NullMarked
package org.leasehold.history;

import org.jspecify.annotations.NullMarked;
