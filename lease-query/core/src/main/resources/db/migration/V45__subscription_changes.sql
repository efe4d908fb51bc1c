-- What was done to webhooks and calendars' feeds, by which a project's data leaves, and who did it. Of what
-- was changed it has before and after the fields that were; no secret is in it, and of an address its host
-- alone. It stays when its subscription goes. The engine is nobody: it has no user and no request.
CREATE TABLE subscription_change (
    change_id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind            text        NOT NULL,
    subscription_id uuid        NOT NULL,
    project_id      text        NOT NULL,
    action          text        NOT NULL,
    before          jsonb,
    after           jsonb,
    user_id         text,
    user_project_id text,
    roles           text[]      NOT NULL,
    authentication  text        NOT NULL,
    request_id      text,
    reason          text,
    recorded_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX subscription_change_subscription ON subscription_change (subscription_id, change_id);
CREATE INDEX subscription_change_project ON subscription_change (project_id, change_id);
CREATE INDEX subscription_change_user ON subscription_change (user_id, change_id);
