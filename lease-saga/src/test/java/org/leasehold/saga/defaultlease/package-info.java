@NullMarked
package org.leasehold.saga.defaultlease;

import org.jspecify.annotations.NullMarked;
