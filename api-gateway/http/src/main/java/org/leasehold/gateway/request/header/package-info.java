/**
 * Headers of requests and responses: text, entity tags, origin of the request, and public address.
 */
@NullMarked
package org.leasehold.gateway.request.header;

import org.jspecify.annotations.NullMarked;
