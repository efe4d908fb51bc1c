@NullMarked
package org.leasehold.saga.leasetag;

import org.jspecify.annotations.NullMarked;
