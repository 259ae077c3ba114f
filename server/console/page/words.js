// Completion of words, places in a text, and the steps of a plan's text. Knows no document.

const KEYWORDS = `SELECT FROM WHERE GROUP BY ORDER LIMIT JOIN LEFT ON AS OF AND OR NOT NULL IN EXISTS CREATE TABLE VIEW
MATERIALIZED INDEX SOURCE SINK CONNECTION SECRET SUBSCRIBE EXPLAIN SHOW INSERT INTO VALUES UPDATE SET DELETE DROP ALTER
BEGIN COMMIT ROLLBACK WITH RECURSIVE UNION ALL DISTINCT HAVING CASE WHEN THEN ELSE END COUNT SUM MIN MAX AVG`.split(/\s+/);

// The word that ends at `at`, and where it begins.
export function wordBefore(text, at) {
  const word = /[\p{L}_][\p{L}\p{N}_$]*$/u.exec(text.slice(0, at))?.[0] ?? "";
  return { word, begin: at - word.length };
}

export function quoted(name) {
  return /^[a-z_][a-z0-9_$]*$/.test(name) && !KEYWORDS.includes(name.toUpperCase()) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function literal(text) {
  return `'${String(text).replaceAll("'", "''")}'`;
}

// What a word may become: names of the catalog first, then SQL's words. `names` are {name, kind}.
export function completions(word, names, most = 8) {
  if (!word) return [];
  const small = word.toLowerCase();
  const fit = (text) => text.toLowerCase().startsWith(small) && text.toLowerCase() !== small;
  const ours = names.filter(({ name }) => fit(name)).map(({ name, kind }) => ({ text: quoted(name), kind }));
  const upper = word === word.toUpperCase();
  const sql = KEYWORDS.filter(fit).map((text) => ({ text: upper ? text : text.toLowerCase(), kind: "SQL" }));
  const seen = new Set();
  return [...ours, ...sql].filter(({ text }) => !seen.has(text) && seen.add(text)).slice(0, most);
}

// The line of a position (counted from one, in characters), its number, and the column in it.
export function lineOf(text, position) {
  const before = [...text].slice(0, position - 1).join("");
  const number = before.split("\n").length;
  return { line: text.split("\n")[number - 1], number, column: before.length - (before.lastIndexOf("\n") + 1) };
}

// The steps of a plan of indented lines, as [{text, inputs}]: a line that is indented further is read by the one above it.
export function treeOf(lines) {
  const roots = [], open = [];
  for (const line of lines) {
    if (!line.trim()) continue;
    const depth = line.length - line.trimStart().length, node = { text: line.trim(), inputs: [] };
    while (open.length && open.at(-1).depth >= depth) open.pop();
    (open.at(-1)?.node.inputs ?? roots).push(node);
    open.push({ depth, node });
  }
  return roots;
}

// Texts that are not kept in the history: they may hold a secret.
export function tells(text) {
  return /\b(secret|password)\b/i.test(text);
}
