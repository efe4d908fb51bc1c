package org.leasehold.saga.task;

import org.leasehold.saga.Cause;

/** A task as it is stored, with the event that caused it. */
record SubmittedTask(PluginTask task, Cause cause) {}
