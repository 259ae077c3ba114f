"""Functions of json and jsonb, jsonpath, and what SQL/JSON's grammar writes.

json_assignment      jsonb with a member assigned, as `SET document['a'][3] = '1'` writes it
json_build           JSON made of SQL values (to_jsonb, jsonb_build_object …), asked for its kind and length
json_change          questions about jsonb (@> ? …) and changed copies of it (|| - #- jsonb_set …)
json_extract         reaching into json and jsonb: -> ->> #> #>> and their functions
json_path            jsonb queried by jsonpath: jsonb_path_exists, _match, _query and their kin
json_records         members of JSON objects as columns of the types that the query says
json_values          SQL values as JSON: to_jsonb's value (`as_json`) and to_json's text (`as_json_text`)
jsonpath_datetimes   jsonpath's .datetime(): a text as a date, a time or both, by a template or in ISO's forms
jsonpath_evaluation  jsonpath evaluated: the items that a path yields of a jsonb value, as late as they are asked for
jsonpath_methods     jsonpath's item methods: .type() .size() .abs() .floor() .ceiling() .double() .keyvalue()
jsonpath_values      what jsonpath's operators do to single JSON items: comparison, arithmetic, type; and its errors
sql_json             what SQL/JSON's grammar writes: IS JSON, JSON_ARRAY(…) and JSON_OBJECT(…)
"""
