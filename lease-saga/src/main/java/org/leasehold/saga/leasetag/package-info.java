/** Lease tags: servers and volumes in the cloud whose owners want them leased. */
@NullMarked
package org.leasehold.saga.leasetag;

import org.jspecify.annotations.NullMarked;
