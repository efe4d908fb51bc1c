-- The first answer to each request with an idempotency key. The owner is a project and one of its
-- users. A key of an error may name another request, too: each request has its own first answer.
CREATE TABLE kept_answer (
    owner      text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    body_hash  text COLLATE "C" NOT NULL,
    status     smallint         NOT NULL,
    headers    jsonb            NOT NULL,
    body       text             NOT NULL,
    created_at timestamptz      NOT NULL,
    PRIMARY KEY (owner, key, body_hash)
);
CREATE INDEX kept_answer_age ON kept_answer (created_at);
