// The console: signs in, and puts editor, objects and results together.

import { AsOf } from "/console/as_of.js";
import { Editor } from "/console/editor.js";
import { Objects } from "/console/objects.js";
import { Pages } from "/console/pages.js";
import { Results } from "/console/results.js";
import { Session, ask, signIn } from "/console/session.js";

const PASS = "headwater-pass", WHY = "headwater-why";
const CHANGES_OBJECTS = /^(CREATE|DROP|ALTER|COMMENT|SELECT INTO)\b/;
const STATES = { I: "ready", T: "in a transaction", E: "in a failed transaction" };
const $ = (id) => document.getElementById(id);

let pass = null, session = null, waiting = null, stale = false;
const results = new Results($("results"));
const asked = (...queries) => ask(pass, ...queries);
const pages = new Pages($("tabs"), $("statements"), $("pages"), asked, (text) => $("trouble").textContent = text);
const asOf = new AsOf($("as-of"), async (query) => (await asked(query))[0], use);
const objects = new Objects($("tree"), $("search"), (text, object, name) => {
  if (!use(text)) return;
  if (object) asOf.show(object.id, name);
  else asOf.hide();
}, (object) => pages.showObject(object));
const editor = new Editor($("text"), $("completions"), $("history"), () => objects.names, runText, cancel);

// Puts a statement into the editor, and runs it; false where another one runs.
function use(text) {
  location.hash = "#statements";
  if (session && !session.ready) return tell("a statement is running: cancel it first");
  editor.put(text);
  run();
  return true;
}

function show(signedIn, why = "") {
  $("login").hidden = signedIn;
  $("shell").hidden = !signedIn;
  $("login-error").textContent = why;
  (signedIn ? $("text") : $("user")).focus();
}

function tell(text) {
  $("state").textContent = text;
  return false;
}

function state(text, running) {
  tell(text);
  $("run").disabled = running;
  $("cancel").disabled = !running;
}

function open() {
  state("connecting", true);
  session = new Session(pass, heard, ended);
  $("who").textContent = pass.user;
  show(true);
  // What is in sight comes first: the server answers all that is asked at once in turns.
  Promise.resolve(pages.begin()).then(refresh);
}

function heard(type, payload) {
  results.heard(type, payload);
  if (type === "CommandComplete" && CHANGES_OBJECTS.test(payload)) stale = true;
  if (type !== "ReadyForQuery") return;
  state(STATES[payload] ?? payload, false);
  if (waiting !== null) return start(waiting);
  // What a transaction has made is seen by others once it has ended.
  if (stale && payload === "I") refresh();
}

function ended(reason, refused) {
  session = null;
  if (refused) return leave(reason);
  state(`${reason}; the next statement connects again`, false);
}

async function refresh() {
  stale = false;
  await objects.refresh(pass).catch((error) => tell(error.message));
}

function run() {
  const text = $("text").value;
  if (!text.trim() || (session && !session.ready)) return;
  if (session) return start(text);
  waiting = text;
  open();
}

// Runs what the user has written: what time it reads is the text's alone.
function runText() {
  asOf.hide();
  run();
}

function start(text) {
  waiting = null;
  editor.keep(text);
  results.begin(text);
  state("running", true);
  session.run(text);
}

async function cancel() {
  if (session && session.begun && !session.ready) await session.cancel();
}

// Nothing of a user stays in the page for the next one.
function leave(why) {
  pages.end();
  session?.close();
  sessionStorage.clear();
  if (why) sessionStorage.setItem(WHY, why);
  location.reload();
}

$("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("enter").disabled = true;
  try {
    pass = await signIn($("user").value, $("password").value, $("database").value);
    sessionStorage.setItem(PASS, JSON.stringify(pass));
    $("password").value = "";
    open();
  } catch (error) {
    show(false, error.message);
  } finally {
    $("enter").disabled = false;
  }
});
$("run").addEventListener("click", runText);
$("cancel").addEventListener("click", cancel);
$("refresh").addEventListener("click", refresh);
$("leave").addEventListener("click", () => leave(""));

pass = JSON.parse(sessionStorage.getItem(PASS) || "null");
if (pass) open();
else show(false, sessionStorage.getItem(WHY) ?? "");
sessionStorage.removeItem(WHY);
