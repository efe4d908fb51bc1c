/**
 * Request data of commands: metadata, idempotency keys, stored responses, origins, denials, and
 * rejections.
 */
@NullMarked
package org.leasehold.command.request;

import org.jspecify.annotations.NullMarked;
