@NullMarked
package org.leasehold.command.memory;

import org.jspecify.annotations.NullMarked;
