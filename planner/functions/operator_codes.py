"""The functions behind operators: to an operator's symbol the names, each with the types of its arguments
(pg_operator.oprcode). Written by tools/generate_operator_codes.py; not edited by hand."""

OPERATOR_CODES: dict[str, str] = {
    "!!": ("tsquery_not(tsquery)"),
    "!~": ("bpcharregexne(bpchar,text) textregexne(text,text)"),
    "!~*": ("bpcharicregexne(bpchar,text) texticregexne(text,text)"),
    "!~~": ("bpcharnlike(bpchar,text) byteanlike(bytea,bytea) textnlike(text,text)"),
    "!~~*": ("bpcharicnlike(bpchar,text) texticnlike(text,text)"),
    "#": (
        "bitxor(bit,bit) box_intersect(box,box) int2xor(int2,int2) int4xor(int4,int4) int8xor(int8,int8) "
        "lseg_interpt(lseg,lseg)"
    ),
    "##": ("close_lseg(lseg,lseg) close_pb(point,box) close_ps(point,lseg) close_sb(lseg,box)"),
    "#-": ("jsonb_delete_path(jsonb,_text)"),
    "%": ("int2mod(int2,int2) int4mod(int4,int4) int8mod(int8,int8) numeric_mod(numeric,numeric)"),
    "&": (
        "bitand(bit,bit) inetand(inet,inet) int2and(int2,int2) int4and(int4,int4) int8and(int8,int8) "
        "macaddr8_and(macaddr8,macaddr8) macaddr_and(macaddr,macaddr)"
    ),
    "&&": (
        "arrayoverlap(anyarray,anyarray) box_overlap(box,box) circle_overlap(circle,circle) "
        "multirange_overlaps_multirange(anymultirange,anymultirange) "
        "multirange_overlaps_range(anymultirange,anyrange) network_overlap(inet,inet) "
        "range_overlaps(anyrange,anyrange) range_overlaps_multirange(anyrange,anymultirange) "
        "tsquery_and(tsquery,tsquery)"
    ),
    "&<": (
        "box_overleft(box,box) circle_overleft(circle,circle) "
        "multirange_overleft_multirange(anymultirange,anymultirange) "
        "multirange_overleft_range(anymultirange,anyrange) range_overleft(anyrange,anyrange) "
        "range_overleft_multirange(anyrange,anymultirange)"
    ),
    "&<|": ("box_overbelow(box,box) circle_overbelow(circle,circle)"),
    "&>": (
        "box_overright(box,box) circle_overright(circle,circle) "
        "multirange_overright_multirange(anymultirange,anymultirange) "
        "multirange_overright_range(anymultirange,anyrange) range_overright(anyrange,anyrange) "
        "range_overright_multirange(anyrange,anymultirange)"
    ),
    "*": (
        "box_mul(box,point) cash_mul_flt4(money,float4) cash_mul_flt8(money,float8) cash_mul_int2(money,int2) "
        "cash_mul_int4(money,int4) cash_mul_int8(money,int8) circle_mul_pt(circle,point) float48mul(float8,float8) "
        "float4mul(float4,float4) float84mul(float8,float8) float8mul(float8,float8) flt4_mul_cash(float4,money) "
        "flt8_mul_cash(float8,money) int24mul(int4,int4) int28mul(int8,int8) int2_mul_cash(int2,money) "
        "int2mul(int2,int2) int42mul(int4,int4) int48mul(int8,int8) int4_mul_cash(int4,money) int4mul(int4,int4) "
        "int82mul(int8,int8) int84mul(int8,int8) int8_mul_cash(int8,money) int8mul(int8,int8) "
        "interval_mul(interval,float8) mul_d_interval(float8,interval) "
        "multirange_intersect(anymultirange,anymultirange) numeric_mul(numeric,numeric) point_mul(point,point) "
        "range_intersect(anyrange,anyrange)"
    ),
    "+": (
        "box_add(box,point) cash_pl(money,money) circle_add_pt(circle,point) date_pl_interval(date,interval) "
        "date_pli(date,int4) datetime_pl(date,time) datetimetz_pl(date,timetz) float48pl(float8,float8) "
        "float4pl(float4,float4) float4up(float4) float84pl(float8,float8) float8pl(float8,float8) float8up(float8) "
        "inetpl(inet,int8) int24pl(int4,int4) int28pl(int8,int8) int2pl(int2,int2) int2up(int2) int42pl(int4,int4) "
        "int48pl(int8,int8) int4pl(int4,int4) int4up(int4) int82pl(int8,int8) int84pl(int8,int8) int8pl(int8,int8) "
        "int8pl_inet(int8,inet) int8up(int8) integer_pl_date(int4,date) interval_pl(interval,interval) "
        "interval_pl_date(interval,date) interval_pl_time(interval,time) interval_pl_timestamp(interval,timestamp) "
        "interval_pl_timestamptz(interval,timestamptz) interval_pl_timetz(interval,timetz) "
        "multirange_union(anymultirange,anymultirange) numeric_add(numeric,numeric) numeric_uplus(numeric) "
        "point_add(point,point) range_union(anyrange,anyrange) time_pl_interval(time,interval) timedate_pl(time,date) "
        "timestamp_pl_interval(timestamp,interval) timestamptz_pl_interval(timestamptz,interval) "
        "timetz_pl_interval(timetz,interval) timetzdate_pl(timetz,date)"
    ),
    "-": (
        "box_sub(box,point) cash_mi(money,money) circle_sub_pt(circle,point) date_mi(date,date) "
        "date_mi_interval(date,interval) date_mii(date,int4) float48mi(float8,float8) float4mi(float4,float4) "
        "float4um(float4) float84mi(float8,float8) float8mi(float8,float8) float8um(float8) inetmi(inet,inet) "
        "inetmi_int8(inet,int8) int24mi(int4,int4) int28mi(int8,int8) int2mi(int2,int2) int2um(int2) "
        "int42mi(int4,int4) int48mi(int8,int8) int4mi(int4,int4) int4um(int4) int82mi(int8,int8) int84mi(int8,int8) "
        "int8mi(int8,int8) int8um(int8) interval_mi(interval,interval) interval_um(interval) jsonb_delete(jsonb,int4) "
        "jsonb_delete(jsonb,text) multirange_minus(anymultirange,anymultirange) numeric_sub(numeric,numeric) "
        "numeric_uminus(numeric) point_sub(point,point) range_minus(anyrange,anyrange) "
        "time_mi_interval(time,interval) time_mi_time(time,time) timestamp_mi(timestamp,timestamp) "
        "timestamp_mi_interval(timestamp,interval) timestamptz_mi(timestamptz,timestamptz) "
        "timestamptz_mi_interval(timestamptz,interval) timetz_mi_interval(timetz,interval)"
    ),
    "->": (
        "json_array_element(json,int4) json_object_field(json,text) jsonb_array_element(jsonb,int4) "
        "jsonb_object_field(jsonb,text)"
    ),
    "->>": (
        "json_array_element_text(json,int4) json_object_field_text(json,text) jsonb_array_element_text(jsonb,int4) "
        "jsonb_object_field_text(jsonb,text)"
    ),
    "-|-": (
        "multirange_adjacent_multirange(anymultirange,anymultirange) "
        "multirange_adjacent_range(anymultirange,anyrange) range_adjacent(anyrange,anyrange) "
        "range_adjacent_multirange(anyrange,anymultirange)"
    ),
    "/": (
        "box_div(box,point) cash_div_cash(money,money) cash_div_flt4(money,float4) cash_div_flt8(money,float8) "
        "cash_div_int2(money,int2) cash_div_int4(money,int4) cash_div_int8(money,int8) circle_div_pt(circle,point) "
        "float48div(float8,float8) float4div(float4,float4) float84div(float8,float8) float8div(float8,float8) "
        "int24div(int4,int4) int28div(int8,int8) int2div(int2,int2) int42div(int4,int4) int48div(int8,int8) "
        "int4div(int4,int4) int82div(int8,int8) int84div(int8,int8) int8div(int8,int8) interval_div(interval,float8) "
        "numeric_div(numeric,numeric) point_div(point,point)"
    ),
    "<": (
        "array_lt(anyarray,anyarray) bitlt(bit,bit) boollt(bool,bool) box_lt(box,box) bpcharlt(bpchar,bpchar) "
        "bytealt(bytea,bytea) cash_lt(money,money) charlt(char,char) circle_lt(circle,circle) date_lt(date,date) "
        "enum_lt(anyenum,anyenum) float48lt(float8,float8) float4lt(float4,float4) float84lt(float8,float8) "
        "float8lt(float8,float8) int24lt(int4,int4) int28lt(int8,int8) int2lt(int2,int2) int42lt(int4,int4) "
        "int48lt(int8,int8) int4lt(int4,int4) int82lt(int8,int8) int84lt(int8,int8) int8lt(int8,int8) "
        "interval_lt(interval,interval) jsonb_lt(jsonb,jsonb) lseg_lt(lseg,lseg) macaddr8_lt(macaddr8,macaddr8) "
        "macaddr_lt(macaddr,macaddr) multirange_lt(anymultirange,anymultirange) namelt(name,name) "
        "network_lt(inet,inet) numeric_lt(numeric,numeric) oidlt(oid,oid) oidvectorlt(oidvector,oidvector) "
        "range_lt(anyrange,anyrange) record_lt(record,record) text_lt(text,text) tidlt(tid,tid) time_lt(time,time) "
        "timestamp_lt(timestamp,timestamp) timestamptz_lt(timestamptz,timestamptz) timetz_lt(timetz,timetz) "
        "tsquery_lt(tsquery,tsquery) tsvector_lt(tsvector,tsvector) uuid_lt(uuid,uuid) varbitlt(varbit,varbit)"
    ),
    "<->": (
        "box_distance(box,box) circle_distance(circle,circle) dist_bp(box,point) dist_bs(box,lseg) "
        "dist_cpoint(circle,point) dist_pb(point,box) dist_pc(point,circle) dist_ps(point,lseg) dist_sb(lseg,box) "
        "dist_sp(lseg,point) lseg_distance(lseg,lseg) point_distance(point,point) tsquery_phrase(tsquery,tsquery)"
    ),
    "<<": (
        "bitshiftleft(bit,int4) box_left(box,box) circle_left(circle,circle) int2shl(int2,int4) int4shl(int4,int4) "
        "int8shl(int8,int4) multirange_before_multirange(anymultirange,anymultirange) "
        "multirange_before_range(anymultirange,anyrange) network_sub(inet,inet) point_left(point,point) "
        "range_before(anyrange,anyrange) range_before_multirange(anyrange,anymultirange)"
    ),
    "<<=": ("network_subeq(inet,inet)"),
    "<<|": ("box_below(box,box) circle_below(circle,circle) point_below(point,point)"),
    "<=": (
        "array_le(anyarray,anyarray) bitle(bit,bit) boolle(bool,bool) box_le(box,box) bpcharle(bpchar,bpchar) "
        "byteale(bytea,bytea) cash_le(money,money) charle(char,char) circle_le(circle,circle) date_le(date,date) "
        "enum_le(anyenum,anyenum) float48le(float8,float8) float4le(float4,float4) float84le(float8,float8) "
        "float8le(float8,float8) int24le(int4,int4) int28le(int8,int8) int2le(int2,int2) int42le(int4,int4) "
        "int48le(int8,int8) int4le(int4,int4) int82le(int8,int8) int84le(int8,int8) int8le(int8,int8) "
        "interval_le(interval,interval) jsonb_le(jsonb,jsonb) lseg_le(lseg,lseg) macaddr8_le(macaddr8,macaddr8) "
        "macaddr_le(macaddr,macaddr) multirange_le(anymultirange,anymultirange) namele(name,name) "
        "network_le(inet,inet) numeric_le(numeric,numeric) oidle(oid,oid) oidvectorle(oidvector,oidvector) "
        "range_le(anyrange,anyrange) record_le(record,record) text_le(text,text) tidle(tid,tid) time_le(time,time) "
        "timestamp_le(timestamp,timestamp) timestamptz_le(timestamptz,timestamptz) timetz_le(timetz,timetz) "
        "tsquery_le(tsquery,tsquery) tsvector_le(tsvector,tsvector) uuid_le(uuid,uuid) varbitle(varbit,varbit)"
    ),
    "<>": (
        "array_ne(anyarray,anyarray) bitne(bit,bit) boolne(bool,bool) bpcharne(bpchar,bpchar) byteane(bytea,bytea) "
        "cash_ne(money,money) charne(char,char) circle_ne(circle,circle) date_ne(date,date) enum_ne(anyenum,anyenum) "
        "float48ne(float8,float8) float4ne(float4,float4) float84ne(float8,float8) float8ne(float8,float8) "
        "int24ne(int4,int4) int28ne(int8,int8) int2ne(int2,int2) int42ne(int4,int4) int48ne(int8,int8) "
        "int4ne(int4,int4) int82ne(int8,int8) int84ne(int8,int8) int8ne(int8,int8) interval_ne(interval,interval) "
        "jsonb_ne(jsonb,jsonb) lseg_ne(lseg,lseg) macaddr8_ne(macaddr8,macaddr8) macaddr_ne(macaddr,macaddr) "
        "multirange_ne(anymultirange,anymultirange) namene(name,name) network_ne(inet,inet) "
        "numeric_ne(numeric,numeric) oidne(oid,oid) oidvectorne(oidvector,oidvector) point_ne(point,point) "
        "range_ne(anyrange,anyrange) record_ne(record,record) textne(text,text) tidne(tid,tid) time_ne(time,time) "
        "timestamp_ne(timestamp,timestamp) timestamptz_ne(timestamptz,timestamptz) timetz_ne(timetz,timetz) "
        "tsquery_ne(tsquery,tsquery) tsvector_ne(tsvector,tsvector) uuid_ne(uuid,uuid) varbitne(varbit,varbit) "
        "xidneq(xid,xid) xidneqint4(xid,int4)"
    ),
    "<@": (
        "arraycontained(anyarray,anyarray) box_contained(box,box) circle_contained(circle,circle) "
        "elem_contained_by_multirange(anyelement,anymultirange) elem_contained_by_range(anyelement,anyrange) "
        "jsonb_contained(jsonb,jsonb) multirange_contained_by_multirange(anymultirange,anymultirange) "
        "multirange_contained_by_range(anymultirange,anyrange) on_pb(point,box) on_ps(point,lseg) on_sb(lseg,box) "
        "pt_contained_circle(point,circle) range_contained_by(anyrange,anyrange) "
        "range_contained_by_multirange(anyrange,anymultirange) tsq_mcontained(tsquery,tsquery)"
    ),
    "<^": ("box_below_eq(box,box) point_below(point,point)"),
    "=": (
        "array_eq(anyarray,anyarray) biteq(bit,bit) booleq(bool,bool) box_eq(box,box) bpchareq(bpchar,bpchar) "
        "byteaeq(bytea,bytea) cash_eq(money,money) chareq(char,char) circle_eq(circle,circle) date_eq(date,date) "
        "enum_eq(anyenum,anyenum) float48eq(float8,float8) float4eq(float4,float4) float84eq(float8,float8) "
        "float8eq(float8,float8) int24eq(int4,int4) int28eq(int8,int8) int2eq(int2,int2) int42eq(int4,int4) "
        "int48eq(int8,int8) int4eq(int4,int4) int82eq(int8,int8) int84eq(int8,int8) int8eq(int8,int8) "
        "interval_eq(interval,interval) jsonb_eq(jsonb,jsonb) lseg_eq(lseg,lseg) macaddr8_eq(macaddr8,macaddr8) "
        "macaddr_eq(macaddr,macaddr) multirange_eq(anymultirange,anymultirange) nameeq(name,name) "
        "network_eq(inet,inet) numeric_eq(numeric,numeric) oideq(oid,oid) oidvectoreq(oidvector,oidvector) "
        "range_eq(anyrange,anyrange) record_eq(record,record) texteq(text,text) tideq(tid,tid) time_eq(time,time) "
        "timestamp_eq(timestamp,timestamp) timestamptz_eq(timestamptz,timestamptz) timetz_eq(timetz,timetz) "
        "tsquery_eq(tsquery,tsquery) tsvector_eq(tsvector,tsvector) uuid_eq(uuid,uuid) varbiteq(varbit,varbit) "
        "xideq(xid,xid) xideqint4(xid,int4)"
    ),
    ">": (
        "array_gt(anyarray,anyarray) bitgt(bit,bit) boolgt(bool,bool) box_gt(box,box) bpchargt(bpchar,bpchar) "
        "byteagt(bytea,bytea) cash_gt(money,money) chargt(char,char) circle_gt(circle,circle) date_gt(date,date) "
        "enum_gt(anyenum,anyenum) float48gt(float8,float8) float4gt(float4,float4) float84gt(float8,float8) "
        "float8gt(float8,float8) int24gt(int4,int4) int28gt(int8,int8) int2gt(int2,int2) int42gt(int4,int4) "
        "int48gt(int8,int8) int4gt(int4,int4) int82gt(int8,int8) int84gt(int8,int8) int8gt(int8,int8) "
        "interval_gt(interval,interval) jsonb_gt(jsonb,jsonb) lseg_gt(lseg,lseg) macaddr8_gt(macaddr8,macaddr8) "
        "macaddr_gt(macaddr,macaddr) multirange_gt(anymultirange,anymultirange) namegt(name,name) "
        "network_gt(inet,inet) numeric_gt(numeric,numeric) oidgt(oid,oid) oidvectorgt(oidvector,oidvector) "
        "range_gt(anyrange,anyrange) record_gt(record,record) text_gt(text,text) tidgt(tid,tid) time_gt(time,time) "
        "timestamp_gt(timestamp,timestamp) timestamptz_gt(timestamptz,timestamptz) timetz_gt(timetz,timetz) "
        "tsquery_gt(tsquery,tsquery) tsvector_gt(tsvector,tsvector) uuid_gt(uuid,uuid) varbitgt(varbit,varbit)"
    ),
    ">=": (
        "array_ge(anyarray,anyarray) bitge(bit,bit) boolge(bool,bool) box_ge(box,box) bpcharge(bpchar,bpchar) "
        "byteage(bytea,bytea) cash_ge(money,money) charge(char,char) circle_ge(circle,circle) date_ge(date,date) "
        "enum_ge(anyenum,anyenum) float48ge(float8,float8) float4ge(float4,float4) float84ge(float8,float8) "
        "float8ge(float8,float8) int24ge(int4,int4) int28ge(int8,int8) int2ge(int2,int2) int42ge(int4,int4) "
        "int48ge(int8,int8) int4ge(int4,int4) int82ge(int8,int8) int84ge(int8,int8) int8ge(int8,int8) "
        "interval_ge(interval,interval) jsonb_ge(jsonb,jsonb) lseg_ge(lseg,lseg) macaddr8_ge(macaddr8,macaddr8) "
        "macaddr_ge(macaddr,macaddr) multirange_ge(anymultirange,anymultirange) namege(name,name) "
        "network_ge(inet,inet) numeric_ge(numeric,numeric) oidge(oid,oid) oidvectorge(oidvector,oidvector) "
        "range_ge(anyrange,anyrange) record_ge(record,record) text_ge(text,text) tidge(tid,tid) time_ge(time,time) "
        "timestamp_ge(timestamp,timestamp) timestamptz_ge(timestamptz,timestamptz) timetz_ge(timetz,timetz) "
        "tsquery_ge(tsquery,tsquery) tsvector_ge(tsvector,tsvector) uuid_ge(uuid,uuid) varbitge(varbit,varbit)"
    ),
    ">>": (
        "bitshiftright(bit,int4) box_right(box,box) circle_right(circle,circle) int2shr(int2,int4) int4shr(int4,int4) "
        "int8shr(int8,int4) multirange_after_multirange(anymultirange,anymultirange) "
        "multirange_after_range(anymultirange,anyrange) network_sup(inet,inet) point_right(point,point) "
        "range_after(anyrange,anyrange) range_after_multirange(anyrange,anymultirange)"
    ),
    ">>=": ("network_supeq(inet,inet)"),
    ">^": ("box_above_eq(box,box) point_above(point,point)"),
    "?": ("jsonb_exists(jsonb,text)"),
    "?#": ("box_overlap(box,box) inter_sb(lseg,box) lseg_intersect(lseg,lseg)"),
    "?&": ("jsonb_exists_all(jsonb,_text)"),
    "?-": ("lseg_horizontal(lseg) point_horiz(point,point)"),
    "?-|": ("lseg_perp(lseg,lseg)"),
    "?|": ("jsonb_exists_any(jsonb,_text) lseg_vertical(lseg) point_vert(point,point)"),
    "?||": ("lseg_parallel(lseg,lseg)"),
    "@": ("float4abs(float4) float8abs(float8) int2abs(int2) int4abs(int4) int8abs(int8) numeric_abs(numeric)"),
    "@-@": ("lseg_length(lseg)"),
    "@>": (
        "arraycontains(anyarray,anyarray) box_contain(box,box) box_contain_pt(box,point) "
        "circle_contain(circle,circle) circle_contain_pt(circle,point) jsonb_contains(jsonb,jsonb) "
        "multirange_contains_elem(anymultirange,anyelement) "
        "multirange_contains_multirange(anymultirange,anymultirange) "
        "multirange_contains_range(anymultirange,anyrange) range_contains(anyrange,anyrange) "
        "range_contains_elem(anyrange,anyelement) range_contains_multirange(anyrange,anymultirange) "
        "tsq_mcontains(tsquery,tsquery)"
    ),
    "@?": ("jsonb_path_exists_opr(jsonb,jsonpath)"),
    "@@": (
        "box_center(box) circle_center(circle) jsonb_path_match_opr(jsonb,jsonpath) lseg_center(lseg) "
        "ts_match_qv(tsquery,tsvector) ts_match_tq(text,tsquery) ts_match_tt(text,text) ts_match_vq(tsvector,tsquery)"
    ),
    "@@@": ("ts_match_qv(tsquery,tsvector) ts_match_vq(tsvector,tsquery)"),
    "^": ("dpow(float8,float8) numeric_power(numeric,numeric)"),
    "^@": ("starts_with(text,text)"),
    "|": (
        "bitor(bit,bit) inetor(inet,inet) int2or(int2,int2) int4or(int4,int4) int8or(int8,int8) "
        "macaddr8_or(macaddr8,macaddr8) macaddr_or(macaddr,macaddr)"
    ),
    "|&>": ("box_overabove(box,box) circle_overabove(circle,circle)"),
    "|/": ("dsqrt(float8)"),
    "|>>": ("box_above(box,box) circle_above(circle,circle) point_above(point,point)"),
    "||": (
        "anytextcat(anynonarray,text) array_append(anycompatiblearray,anycompatible) "
        "array_cat(anycompatiblearray,anycompatiblearray) array_prepend(anycompatible,anycompatiblearray) "
        "bitcat(varbit,varbit) byteacat(bytea,bytea) jsonb_concat(jsonb,jsonb) textanycat(text,anynonarray) "
        "textcat(text,text) tsquery_or(tsquery,tsquery) tsvector_concat(tsvector,tsvector)"
    ),
    "||/": ("dcbrt(float8)"),
    "~": (
        "bitnot(bit) bpcharregexeq(bpchar,text) inetnot(inet) int2not(int2) int4not(int4) int8not(int8) "
        "macaddr8_not(macaddr8) macaddr_not(macaddr) textregexeq(text,text)"
    ),
    "~*": ("bpcharicregexeq(bpchar,text) texticregexeq(text,text)"),
    "~<=~": ("text_pattern_le(text,text)"),
    "~<~": ("text_pattern_lt(text,text)"),
    "~=": ("box_same(box,box) circle_same(circle,circle) point_eq(point,point)"),
    "~>=~": ("text_pattern_ge(text,text)"),
    "~>~": ("text_pattern_gt(text,text)"),
    "~~": ("bpcharlike(bpchar,text) bytealike(bytea,bytea) textlike(text,text)"),
    "~~*": ("bpchariclike(bpchar,text) texticlike(text,text)"),
}
