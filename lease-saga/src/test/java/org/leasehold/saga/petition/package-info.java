@NullMarked
package org.leasehold.saga.petition;

import org.jspecify.annotations.NullMarked;
