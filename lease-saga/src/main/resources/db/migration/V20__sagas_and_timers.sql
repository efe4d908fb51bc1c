-- Axon's own tables, with PostgreSQL's types.
CREATE TABLE token_entry (
    processor_name text    NOT NULL,
    segment        integer NOT NULL,
    token          bytea,
    token_type     text,
    timestamp      text,
    owner          text,
    PRIMARY KEY (processor_name, segment)
);

CREATE TABLE saga_entry (
    saga_id         text PRIMARY KEY,
    revision        text,
    saga_type       text,
    serialized_saga bytea
);

CREATE TABLE association_value_entry (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    association_key   text NOT NULL,
    association_value text NOT NULL,
    saga_type         text NOT NULL,
    saga_id           text NOT NULL
);
CREATE INDEX association_value_lookup ON association_value_entry (saga_type, association_key, association_value);
CREATE INDEX association_value_saga ON association_value_entry (saga_id, saga_type);

-- db-scheduler's table, twice: timers must not wait behind slow plugins.
CREATE TABLE timer (
    task_name            text        NOT NULL,
    task_instance        text        NOT NULL,
    task_data            bytea,
    execution_time       timestamptz NOT NULL,
    picked               boolean     NOT NULL,
    picked_by            text,
    last_success         timestamptz,
    last_failure         timestamptz,
    consecutive_failures int,
    last_heartbeat       timestamptz,
    version              bigint      NOT NULL,
    priority             smallint    NOT NULL,
    PRIMARY KEY (task_name, task_instance)
);
-- What is due is taken by priority first, so that ends come before starts. All the same the index is
-- by time alone: of a million timers only a few are due, and those are sorted quickly.
CREATE INDEX timer_due ON timer (execution_time);
CREATE INDEX timer_heartbeat ON timer (last_heartbeat) WHERE picked;

-- Beside db-scheduler's columns: what the order of actions and the list of stuck ones are made from.
-- Tasks of one subject run one after the other in the order of their sequence. A parked task has been
-- given up; it is kept to be seen until an operator's retry revives it or its reservation is over. A
-- retry that comes while the task is about to be given up marks it as resubmitted.
CREATE TABLE plugin_task (
    task_name            text        NOT NULL,
    task_instance        text        NOT NULL,
    task_data            bytea,
    execution_time       timestamptz NOT NULL,
    picked               boolean     NOT NULL,
    picked_by            text,
    last_success         timestamptz,
    last_failure         timestamptz,
    consecutive_failures int,
    last_heartbeat       timestamptz,
    version              bigint      NOT NULL,
    sequence             bigint      GENERATED ALWAYS AS IDENTITY,
    subject              text        NOT NULL,
    action               text        NOT NULL,
    lease_id             uuid,
    reservation_id       uuid,
    attempts             int         NOT NULL DEFAULT 0,
    failing_since        timestamptz,
    last_fault           text,
    parked               boolean     NOT NULL DEFAULT false,
    resubmitted          boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX plugin_task_due ON plugin_task (execution_time);
CREATE INDEX plugin_task_heartbeat ON plugin_task (last_heartbeat) WHERE picked;
CREATE INDEX plugin_task_subject ON plugin_task (subject);
CREATE INDEX plugin_task_failing ON plugin_task (failing_since) WHERE attempts > 0;
