/** Planning of reservations of instances: parts of hosts that are as large as servers. */
@NullMarked
package org.leasehold.resource.instance;

import org.jspecify.annotations.NullMarked;
