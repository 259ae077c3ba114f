// The console: signs in, and puts editor, objects and results together.

import { Editor } from "/console/editor.js";
import { Objects } from "/console/objects.js";
import { Results } from "/console/results.js";
import { Session, signIn } from "/console/session.js";

const PASS = "headwater-pass";
const CHANGES_OBJECTS = /^(CREATE|DROP|ALTER|COMMENT)\b/;
const $ = (id) => document.getElementById(id);

let pass = null, session = null;
const results = new Results($("results"));
const objects = new Objects($("tree"), $("search"), (text) => { editor.put(text); run(); });
const editor = new Editor($("text"), $("completions"), $("history"), () => objects.names, run, cancel);

function show(signedIn, why = "") {
  $("login").hidden = signedIn;
  $("shell").hidden = !signedIn;
  $("login-error").textContent = why;
  (signedIn ? $("text") : $("user")).focus();
}

function state(text, running) {
  $("state").textContent = text;
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
  if (type === "ReadyForQuery") state({ I: "ready", T: "in a transaction", E: "in a failed transaction" }[payload] ?? payload, false);
  if (type === "CommandComplete" && CHANGES_OBJECTS.test(payload)) refresh();
}

function ended(reason) {
  session = null;
  if (/token/.test(reason)) return leave(reason);
  state(`${reason}; the next statement connects again`, false);
}

async function refresh() {
  try {
    await objects.refresh(pass);
  } catch (error) {
    state(error.message, false);
  }
}

function run() {
  const text = $("text").value;
  if (!text.trim() || (session && !session.ready)) return;
  if (!session) return open();
  editor.keep(text);
  results.begin(text);
  state("running", true);
  session.run(text);
}

async function cancel() {
  if (session && !session.ready) await session.cancel().catch((error) => state(error.message, true));
}

function leave(why) {
  session?.close();
  session = pass = null;
  sessionStorage.clear();
  results.begin("");
  show(false, why);
}

$("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    pass = await signIn($("user").value, $("password").value, $("database").value);
    sessionStorage.setItem(PASS, JSON.stringify(pass));
    $("password").value = "";
    open();
  } catch (error) {
    show(false, error.message);
  }
});
$("run").addEventListener("click", run);
$("cancel").addEventListener("click", cancel);
$("refresh").addEventListener("click", refresh);
$("leave").addEventListener("click", () => leave(""));

pass = JSON.parse(sessionStorage.getItem(PASS) || "null");
if (pass) open();
else show(false);
