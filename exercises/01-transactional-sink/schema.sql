-- One row for each operation that was applied: its identity and its amount.
CREATE TABLE inbox (
  id     TEXT PRIMARY KEY NOT NULL,
  amount INTEGER NOT NULL
) STRICT;

-- The effect: one running total, in the row 'exports'.
CREATE TABLE totals (
  id     TEXT PRIMARY KEY NOT NULL,
  amount INTEGER NOT NULL
) STRICT;

INSERT INTO totals (id, amount) VALUES ('exports', 0);
