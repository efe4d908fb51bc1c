/** Planning of reservations of whole hosts, for any cloud. */
@NullMarked
package org.leasehold.resource.host;

import org.jspecify.annotations.NullMarked;
