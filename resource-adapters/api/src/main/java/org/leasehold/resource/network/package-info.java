/** Planning of reservations of networks, for any cloud. */
@NullMarked
package org.leasehold.resource.network;

import org.jspecify.annotations.NullMarked;
