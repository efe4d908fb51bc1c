-- Of what was refused in an hour there may be more, times milliseconds, than a bigint can hold: whoever
-- wants to may ask for very much, very often.
ALTER TABLE capacity_hour ALTER COLUMN refused_time TYPE numeric;
