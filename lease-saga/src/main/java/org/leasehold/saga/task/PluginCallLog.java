package org.leasehold.saga.task;

import org.leasehold.readmodel.operation.CloudCalls.CloudCall;

/** The log of the calls of plug-ins. */
interface PluginCallLog {

    PluginCallLog NONE = _ -> {};

    void add(CloudCall call);
}
