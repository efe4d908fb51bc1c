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
    priority             smallint,
    PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX timer_due ON timer (execution_time);
CREATE INDEX timer_heartbeat ON timer (last_heartbeat);

CREATE TABLE plugin_task (LIKE timer INCLUDING ALL);
