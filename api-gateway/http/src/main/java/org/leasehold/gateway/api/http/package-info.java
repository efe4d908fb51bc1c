/**
 * Values and headers that all messages of the API share: times, decimals, page links, and event log
 * positions.
 */
@NullMarked
package org.leasehold.gateway.api.http;

import org.jspecify.annotations.NullMarked;
