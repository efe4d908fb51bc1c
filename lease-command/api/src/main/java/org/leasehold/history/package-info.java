/**
 * Reads stored events: to rebuild what follows from them, and to verify what is stored of it. Has
 * the threads and the pauses of code that reads them continuously.
 */
@NullMarked
package org.leasehold.history;

import org.jspecify.annotations.NullMarked;
