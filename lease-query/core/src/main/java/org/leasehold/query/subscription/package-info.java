/** Calendar feeds of projects with a secret, and the changes of subscriptions. */
@NullMarked
package org.leasehold.query.subscription;

import org.jspecify.annotations.NullMarked;
