/** The plug-in for stacks of Heat. */
@NullMarked
package org.leasehold.resource.openstack.stack;

import org.jspecify.annotations.NullMarked;
