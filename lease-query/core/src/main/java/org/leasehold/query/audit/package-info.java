/** What each event is about, and searches in that. */
@NullMarked
package org.leasehold.query.audit;

import org.jspecify.annotations.NullMarked;
