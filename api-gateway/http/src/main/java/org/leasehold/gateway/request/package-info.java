/** Filters of every request of all APIs, and its body. */
@NullMarked
package org.leasehold.gateway.request;

import org.jspecify.annotations.NullMarked;
