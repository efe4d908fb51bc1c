/** Errors outside controllers: their responses, the request ids in them, and their causes. */
@NullMarked
package org.leasehold.gateway.request.error;

import org.jspecify.annotations.NullMarked;
