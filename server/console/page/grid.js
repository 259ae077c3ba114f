// A table of which only the rows in sight are in the document: a hundred thousand rows scroll as ten do.

const ROW_PX = 24, BEYOND = 10, SHOWN_MAX = 10_000, NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);

export function shown(value) {
  if (value === null || value === undefined) return "NULL";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

export class Grid {
  // `columns` have a `name` and a `type_oid`; `rows()` returns all rows, each {values, mark?}.
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.element = document.createElement("div");
    this.element.className = "grid";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "table");
    this.element.style.setProperty("--columns", columns.map(() => "minmax(6rem, 1fr)").join(" ") || "1fr");
    const head = this.line("head", columns.map((column) => column.name), "columnheader");
    this.body = document.createElement("div");
    this.body.className = "body";
    this.body.setAttribute("role", "rowgroup");
    this.element.append(head, this.body);
    this.element.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  line(className, values, role) {
    const line = document.createElement("div");
    line.className = className;
    line.setAttribute("role", "row");
    values.forEach((value, at) => {
      const cell = document.createElement("div");
      cell.className = "cell";
      cell.setAttribute("role", role);
      cell.textContent = shown(value);
      if (role === "cell") {
        if (value === null) cell.classList.add("null");
        if (NUMBERS.has(this.columns[at].type_oid)) cell.classList.add("number");
        cell.title = cell.textContent;
      }
      line.append(cell);
    });
    return line;
  }

  // Draws at most once a frame, however often it is asked.
  draw() {
    if (this.drawing || this.element.hidden) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      const rows = this.rows();
      this.body.style.height = `${rows.length * ROW_PX}px`;
      const first = Math.max(0, Math.floor(this.element.scrollTop / ROW_PX) - BEYOND);
      const last = Math.min(rows.length, first + Math.ceil(this.element.clientHeight / ROW_PX) + 2 * BEYOND);
      this.element.setAttribute("aria-rowcount", rows.length);
      this.body.replaceChildren(...rows.slice(first, last).map((row, at) => {
        const line = this.line(`row ${row.mark || ""}`, row.values, "cell");
        line.style.top = `${(first + at) * ROW_PX}px`;
        line.setAttribute("aria-rowindex", first + at + 1);
        return line;
      }));
    });
  }
}
