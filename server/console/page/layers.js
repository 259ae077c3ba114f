// Where the objects near one stand in a picture: inputs to the left, what reads them to the right. Knows no document.

// The ids at most `hops` away from `from`, and never more than `most`, the nearest first. `edges` are [reader, input].
export function near(edges, from, hops, most) {
  const beside = new Map();
  for (const [reader, input] of edges) {
    for (const [one, other] of [[reader, input], [input, reader]]) {
      if (!beside.has(one)) beside.set(one, []);
      beside.get(one).push(other);
    }
  }
  const found = new Set([from]);
  let edge = [from];
  for (let hop = 0; hop < hops && edge.length; hop++) {
    const next = [];
    for (const id of edge) {
      for (const other of beside.get(id) ?? []) {
        if (found.has(other) || found.size >= most) continue;
        found.add(other);
        next.push(other);
      }
    }
    edge = next;
  }
  return found;
}

// The place of each id as {column, row}: a reader stands to the right of all its inputs. Edges of a cycle that lead
// back to what is being placed are passed over.
export function layers(ids, edges) {
  const inputs = new Map([...ids].map((id) => [id, []]));
  for (const [reader, input] of edges) if (inputs.has(reader) && inputs.has(input)) inputs.get(reader).push(input);
  const columns = new Map(), begun = new Set();
  const place = (first) => {
    const pending = [first];
    while (pending.length) {
      const id = pending.at(-1);
      const left = begun.has(id) ? [] : inputs.get(id).filter((each) => !columns.has(each) && !begun.has(each));
      begun.add(id);
      if (left.length) {
        pending.push(...left);
        continue;
      }
      pending.pop();
      if (columns.has(id)) continue;
      columns.set(id, Math.max(-1, ...inputs.get(id).map((each) => columns.get(each) ?? -1)) + 1);
    }
  };
  for (const id of inputs.keys()) place(id);
  const filled = [], places = new Map();
  for (const [id, column] of columns) {
    filled[column] = (filled[column] ?? 0) + 1;
    places.set(id, { column, row: filled[column] - 1 });
  }
  return places;
}
