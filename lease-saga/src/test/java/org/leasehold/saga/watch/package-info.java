@NullMarked
package org.leasehold.saga.watch;

import org.jspecify.annotations.NullMarked;
