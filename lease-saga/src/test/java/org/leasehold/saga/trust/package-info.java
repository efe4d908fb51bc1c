@NullMarked
package org.leasehold.saga.trust;

import org.jspecify.annotations.NullMarked;
