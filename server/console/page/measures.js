// Lags, rates and sizes in words, and what makes an object late. Knows no document.

export function span(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return "";
  const ms = Number(milliseconds);
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

// A time to the second, as the database writes it.
export function moment(text) {
  return text === null || text === undefined ? "" : text.replace(/\.\d+/, "");
}

export function bytes(count) {
  if (count === null || count === undefined) return "";
  let size = Number(count), unit = "B";
  for (const next of ["KiB", "MiB", "GiB", "TiB"]) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return `${unit === "B" || size >= 100 ? Math.round(size) : size.toFixed(1)} ${unit}`;
}

// What a count has grown by in each second between two looks, [at in ms, count]; null where that is not known.
export function rate(before, now) {
  if (!before || now[1] === null || before[1] === null || now[0] <= before[0]) return null;
  return Math.max(0, (Number(now[1]) - Number(before[1])) * 1000 / (now[0] - before[0]));
}

// Why an object is as late as it is, in words; `find(id)` is another object.
export function reasonOf(object, find) {
  if (object.status && object.status !== "running") return `${object.status}: ${object.reason || "no reason is told"}`;
  if (object.hydrated === false) return `reads what was there at the start, ${object.percent} %`;
  if (object.error) return object.error;
  const input = find(object.slowestLocal);
  if (input && object.lag > 1000 && object.localLag < object.lag / 2) return `waits for ${input.name}`;
  if (object.lag > 1000 && object.p50 > object.lag / 4) return `its ticks take ${span(object.p50)}`;
  return "";
}

// The way up from an object by the input that is furthest behind, the object first; a cycle ends it.
export function criticalPath(object, find) {
  const path = [], seen = new Set();
  for (let at = object; at && !seen.has(at.id); at = find(at.slowestLocal)) {
    seen.add(at.id);
    path.push(at);
  }
  return path;
}

// The points of a line through samples [at, value], in a box; the largest value is at its top.
export function line(samples, width, height) {
  if (samples.length < 2) return "";
  const first = samples[0][0], length = samples.at(-1)[0] - first || 1;
  const most = Math.max(...samples.map(([, value]) => value), 1);
  return samples.map(([at, value]) =>
    `${(width * (at - first) / length).toFixed(1)},${(height - height * value / most).toFixed(1)}`).join(" ");
}
