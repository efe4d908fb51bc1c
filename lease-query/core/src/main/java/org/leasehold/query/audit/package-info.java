/** The subjects of events, and the search by them. */
@NullMarked
package org.leasehold.query.audit;

import org.jspecify.annotations.NullMarked;
