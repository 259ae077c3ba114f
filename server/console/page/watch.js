// Asks a page's queries again and again while it is in sight: never two at once, and not behind another tab.

const EVERY_MS = 3000;

export class Watch {
  // `ask()` gives the answers, `draw(answers)` shows them, `tell(text)` says what went wrong.
  constructor(ask, draw, tell) {
    Object.assign(this, { ask, draw, tell, shown: false, asking: false, troubled: false, timer: null });
    document.addEventListener("visibilitychange", () => this.next(0));
  }

  start() {
    this.shown = true;
    return this.look();
  }

  stop() {
    this.shown = false;
    clearTimeout(this.timer);
  }

  next(after) {
    clearTimeout(this.timer);
    if (this.shown && !document.hidden) this.timer = setTimeout(() => this.look(), after);
  }

  async look() {
    if (this.asking) return;
    this.asking = true;
    try {
      const answers = await this.ask();
      if (this.shown) this.draw(answers);
      // What others have told stays: a button's error is to be read.
      if (this.shown && this.troubled) this.tell("");
      this.troubled = false;
    } catch (error) {
      if (this.shown) this.tell(error.message);
      this.troubled = true;
    } finally {
      this.asking = false;
      this.next(EVERY_MS);
    }
  }
}
