/** A client of Cinder: volumes, their types and their snapshots. */
@NullMarked
package org.leasehold.resource.openstack.cinder;

import org.jspecify.annotations.NullMarked;
