/**
 * What leases have: what the calendar promised them, what the cloud gave them and what is in their
 * hands, at every instant, as their events tell.
 */
@NullMarked
package org.leasehold.query.booking;

import org.jspecify.annotations.NullMarked;
