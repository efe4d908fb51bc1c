/** Messages of version 1: JSON, dates, queries, and errors as Blazar writes them. */
@NullMarked
package org.leasehold.gateway.v1.http;

import org.jspecify.annotations.NullMarked;
