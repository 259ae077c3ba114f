"""CREATE SOURCE: the place of records, and the rows made from records.

added_tables     CREATE TABLE … FROM SOURCE and ALTER SOURCE … ADD | DROP SUBSOURCE, REFRESH
alter_source     DROP SOURCE, ALTER SOURCE … RENAME TO and SET (RETAIN HISTORY), COMMENT ON SOURCE
clauses          clauses of CREATE SOURCE, read for the system that the statement names
source_columns   columns of external data, by the names given in a statement
create_source    CREATE SOURCE, of any kind
create_webhook   CREATE SOURCE … FROM WEBHOOK: the rows made from requests, and CHECK for requests
decoding_errors  [KEY | VALUE] DECODING ERRORS = FAIL | SKIP | INLINE: the fate of records that can't be decoded
encoding         FORMAT, INCLUDE and ENVELOPE: the rows made from records, and the names of columns
files            FROM FILES 'glob', and FROM S3 CONNECTION c DISCOVER OBJECTS …
generator        FROM LOAD GENERATOR: the generator and its tables
source_options   values of options, converted to the options' types
publication      FROM POSTGRES CONNECTION c (PUBLICATION 'p')
schemas          FORMAT AVRO …: fields by a schema, written in the statement or fetched from a registry
tables           FOR ALL TABLES and FOR TABLES (…)
transactions     TRANSACTION METADATA (SOURCE tx, COLLECTION 'db.schema.t')
written_names    names in the text of a statement about sources, for SHOW CREATE to follow renames
"""
