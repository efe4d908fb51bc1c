/** Authentication and authorisation of callers. */
@NullMarked
package org.leasehold.gateway.security;

import org.jspecify.annotations.NullMarked;
