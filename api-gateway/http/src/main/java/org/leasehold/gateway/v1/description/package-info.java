/** The description of Blazar's API, which the engine serves. */
@NullMarked
package org.leasehold.gateway.v1.description;

import org.jspecify.annotations.NullMarked;
