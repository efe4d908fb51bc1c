-- The epochs of the history, see decision 65. A new one begins when the database has lost events.
-- Events with positions in (began_after, lost_through] are lost; later events have later positions.
CREATE TABLE epoch (
    number       bigint      PRIMARY KEY,
    began_after  bigint      NOT NULL,
    lost_through bigint      NOT NULL,
    began_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);

INSERT INTO epoch (number, began_after, lost_through, began_at) VALUES (1, 0, 0, 'epoch');
