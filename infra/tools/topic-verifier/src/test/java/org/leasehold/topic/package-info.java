@NullMarked
package org.leasehold.topic;

import org.jspecify.annotations.NullMarked;
