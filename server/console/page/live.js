// What a SUBSCRIBE tells, as the rows that there are now and as the changes that led to them. Knows no document.

const CHANGES_MAX = 10_000;

export class LiveRows {
  constructor(columns) {
    // mz_timestamp, mz_diff, then the row's; WITH (PROGRESS) has mz_progressed between.
    this.progress = columns[1]?.name === "mz_progressed";
    this.skip = this.progress ? 3 : 2;
    this.columns = columns.slice(this.skip);
    this.present = new Map();
    this.changes = [];
    this.first = this.time = null;
    this.total = 0;
    this.drawn = null;
  }

  static follows(columns) {
    return columns[0]?.name === "mz_timestamp" && columns.some((column) => column.name === "mz_diff");
  }

  take(row) {
    this.time = row[0];
    this.first ??= this.time;
    if (this.progress && (row[1] === true || row[1] === "t")) return;
    const values = row.slice(this.skip), diff = Number(row[this.skip - 1]), key = JSON.stringify(values);
    const entry = this.present.get(key) || { values, count: 0 };
    entry.count += diff;
    entry.time = this.time;
    this.total += diff;
    if (entry.count === 0) this.present.delete(key);
    else this.present.set(key, entry);
    this.changes.push({ values: [row[0], String(diff), ...values], mark: diff > 0 ? "more" : "less" });
    if (this.changes.length > CHANGES_MAX) this.changes.splice(0, CHANGES_MAX / 2);
    this.drawn = null;
  }

  // The rows that there are now, each as often as it is there, at most `most`; those of the last time are marked.
  rows(most = 100_000) {
    if (this.drawn) return this.drawn;
    const found = this.drawn = [];
    for (const { values, count, time } of this.present.values()) {
      const row = { values, mark: time === this.time && time !== this.first ? "more" : "" };
      for (let n = 0; n < count && found.length < most; n++) found.push(row);
    }
    return found;
  }
}
