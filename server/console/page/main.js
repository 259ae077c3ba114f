// The console: signs in, and puts editor, objects and results together.

import { Editor } from "/console/editor.js";
import { Objects } from "/console/objects.js";
import { Results } from "/console/results.js";
import { Session, signIn } from "/console/session.js";

const PASS = "headwater-pass", WHY = "headwater-why";
const CHANGES_OBJECTS = /^(CREATE|DROP|ALTER|COMMENT|SELECT INTO)\b/;
const STATES = { I: "ready", T: "in a transaction", E: "in a failed transaction" };
const $ = (id) => document.getElementById(id);

let pass = null, session = null, waiting = null, stale = false;
const results = new Results($("results"));
const objects = new Objects($("tree"), $("search"), (text) => {
  if (session && !session.ready) return tell("a statement is running: cancel it first");
  editor.put(text);
  run();
});
const editor = new Editor($("text"), $("completions"), $("history"), () => objects.names, run, cancel);

function show(signedIn, why = "") {
  $("login").hidden = signedIn;
  $("shell").hidden = !signedIn;
  $("login-error").textContent = why;
  (signedIn ? $("text") : $("user")).focus();
}

function tell(text) {
  $("state").textContent = text;
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
  refresh();
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
$("run").addEventListener("click", run);
$("cancel").addEventListener("click", cancel);
$("refresh").addEventListener("click", refresh);
$("leave").addEventListener("click", () => leave(""));

pass = JSON.parse(sessionStorage.getItem(PASS) || "null");
if (pass) open();
else show(false, sessionStorage.getItem(WHY) ?? "");
sessionStorage.removeItem(WHY);
