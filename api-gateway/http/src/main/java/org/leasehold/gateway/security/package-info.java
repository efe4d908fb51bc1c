/** Authentication of callers with tokens, their roles, and the properties that they may see. */
@NullMarked
package org.leasehold.gateway.security;

import org.jspecify.annotations.NullMarked;
