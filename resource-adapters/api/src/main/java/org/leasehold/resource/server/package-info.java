/** Planning of reservations of servers that their projects have already, for any cloud. */
@NullMarked
package org.leasehold.resource.server;

import org.jspecify.annotations.NullMarked;
