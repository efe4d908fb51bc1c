/** What a process does because of an event, and the machinery that lets it. */
@NullMarked
package org.leasehold.saga.reaction;

import org.jspecify.annotations.NullMarked;
