// The text of statements: keys, completion, and the statements of before.

import { completions, tells, wordBefore } from "/console/words.js";

const HISTORY = "headwater-history", HISTORY_MAX = 50, LENGTH_MAX = 10_000;

export class Editor {
  constructor(text, list, history, names, run, cancel) {
    this.text = text;
    this.list = list;
    this.history = history;
    this.names = names;
    this.chosen = 0;
    text.addEventListener("keydown", (event) => this.key(event, run, cancel));
    text.addEventListener("input", () => this.offer(3));
    for (const leaves of ["blur", "click"]) text.addEventListener(leaves, () => this.close());
    history.addEventListener("change", () => {
      if (history.value) this.put(this.earlier()[Number(history.value)]);
      history.value = "";
    });
    this.drawHistory();
  }

  key(event, run, cancel) {
    const open = !this.list.hidden;
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.close();
      run();
    } else if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.offer(1);
    } else if (event.key === "Escape") {
      if (open) this.close();
      else cancel();
    } else if (open && event.key in moves) {
      event.preventDefault();
      this.choose((this.chosen + moves[event.key] + this.found.length) % this.found.length);
    } else if (open && event.key === "Tab") {
      event.preventDefault();
      this.accept(this.found[this.chosen].text);
    } else if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") {
      this.close();
    }
  }

  offer(least) {
    const { word, begin } = wordBefore(this.text.value, this.text.selectionStart);
    this.found = word.length < least ? [] : completions(word, this.names());
    this.begin = begin;
    if (!this.found.length) return this.close();
    this.list.replaceChildren(...this.found.map(({ text, kind }) => {
      const item = document.createElement("li");
      item.setAttribute("role", "option");
      item.append(text, Object.assign(document.createElement("small"), { textContent: kind }));
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        this.accept(text);
      });
      return item;
    }));
    this.list.hidden = false;
    this.choose(0);
  }

  choose(at) {
    this.chosen = at;
    [...this.list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === at)));
  }

  accept(text) {
    this.text.setRangeText(text, this.begin, this.text.selectionStart, "end");
    this.close();
  }

  close() {
    this.list.hidden = true;
  }

  put(text) {
    this.text.value = text;
    this.text.focus();
  }

  // The statements of this tab, the latest first; gone with the tab.
  earlier() {
    return JSON.parse(sessionStorage.getItem(HISTORY) || "[]");
  }

  keep(text) {
    if (tells(text) || text.length > LENGTH_MAX) return;
    const kept = [text, ...this.earlier().filter((each) => each !== text)].slice(0, HISTORY_MAX);
    sessionStorage.setItem(HISTORY, JSON.stringify(kept));
    this.drawHistory();
  }

  drawHistory() {
    const first = this.history.firstElementChild;
    const options = this.earlier().map((text, at) => new Option(text.replaceAll(/\s+/g, " ").slice(0, 80), String(at)));
    this.history.replaceChildren(first, ...options);
  }
}
