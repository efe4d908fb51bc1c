/** The users and projects of the cloud. */
@NullMarked
package org.leasehold.resource.identity;

import org.jspecify.annotations.NullMarked;
