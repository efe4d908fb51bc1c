/** Hand-written fakes of the sagas' environment. */
@NullMarked
package org.leasehold.saga.fakes;

import org.jspecify.annotations.NullMarked;
