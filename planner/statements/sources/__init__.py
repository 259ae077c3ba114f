"""CREATE SOURCE: where records are, what rows become of them.

added_tables     CREATE TABLE … FROM SOURCE and ALTER SOURCE … ADD | DROP SUBSOURCE, REFRESH
alter_source     DROP SOURCE, ALTER SOURCE … RENAME TO and SET (RETAIN HISTORY), COMMENT ON SOURCE
columns          the columns of what is read from elsewhere, by the names that a statement gives them
create_source    CREATE SOURCE, of any kind; … FROM KAFKA
create_webhook   CREATE SOURCE … FROM WEBHOOK: what rows become of requests, and which requests count
decoding_errors  [KEY | VALUE] DECODING ERRORS = FAIL | SKIP | INLINE: what becomes of records that can't be decoded
encoding         FORMAT, INCLUDE and ENVELOPE: what rows become of records, and what their columns are called
files            FROM FILES 'glob', and FROM S3 CONNECTION c DISCOVER OBJECTS …
generator        FROM LOAD GENERATOR: what is generated, and which tables it makes
kinesis          FROM KINESIS CONNECTION c (STREAM '…'): which stream, and what its records have beside their data
options          values of options, as the types that they are to have
publication      FROM POSTGRES CONNECTION c (PUBLICATION 'p')
pubnub           FROM PUBNUB SUBSCRIBE KEY '…' CHANNEL '…': which channel, and what rows become of its messages
schemas          FORMAT AVRO …: fields that a schema describes, which stands there or is asked of a registry
tables           FOR ALL TABLES and FOR TABLES (…)
transactions     TRANSACTION METADATA (SOURCE tx, COLLECTION 'db.schema.t')
written_names    which names a statement about sources has in its text, so that SHOW CREATE can follow them
"""
