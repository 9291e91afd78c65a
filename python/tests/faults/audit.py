"""Every new item and every change of state, noted by the database itself.

So attempts can be counted, and losses found, without asking the code that counts and loses.
"""

AUDIT = """
CREATE SCHEMA faults;
CREATE TABLE faults.changes (
    media_id uuid, was text, became text, attempts int, at timestamptz DEFAULT clock_timestamp()
);
CREATE TABLE faults.created (media_id uuid, url text);
CREATE FUNCTION faults.note_created() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO faults.created VALUES (NEW.id, NEW.requested_url);
    RETURN NULL;
END $$;
CREATE TRIGGER note_created AFTER INSERT ON media FOR EACH ROW
    EXECUTE FUNCTION faults.note_created();
CREATE FUNCTION faults.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO faults.changes (media_id, was, became, attempts)
    VALUES (NEW.id, OLD.processing_status, NEW.processing_status, NEW.processing_attempts);
    RETURN NULL;
END $$;
CREATE TRIGGER note_changes AFTER UPDATE ON media FOR EACH ROW
    WHEN (OLD.processing_status IS DISTINCT FROM NEW.processing_status)
    EXECUTE FUNCTION faults.note();
"""
