/** How the parameters of reservations are read, whatever the kind. */
@NullMarked
package org.leasehold.resource.parameter;

import org.jspecify.annotations.NullMarked;
