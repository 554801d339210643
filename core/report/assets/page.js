/* The page: addresses, player bar, filters, keys. */

const player = new Player(document.getElementById("audio"));
const overview = document.getElementById("overview");
const stage = document.getElementById("call");
const view = { kind: "overview", numbers: [], message: null, follow: true };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Tells the reader about a fault in plain words. */
function notify(text) {
  let box = document.getElementById("notice");
  if (!box) {
    box = h("p", { id: "notice", role: "alert" });
    document.body.append(box);
  }
  box.textContent = text;
}

function siblings(entry) {
  return store.index.filter((other) => other.scenario === entry.scenario && other.repeat === entry.repeat);
}

/** Play button, times, speed and the stereo strip of the call that is loaded. */
function playerBar() {
  const slider = { role: "slider", tabindex: "0", "aria-label": "Position in the recording", "aria-valuemin": "0" };
  const strip = h("div", { class: "strip-box", ...slider, onclick: seekByPointer, onkeydown: seekByKey });
  const setSpeed = (event) => { player.element.playbackRate = Number(event.target.value); };
  const setFollow = (event) => { view.follow = event.target.checked; };
  const speeds = ["0.75", "1", "1.25", "1.5", "2"].map((speed) => h("option", { value: speed, selected: speed === "1" }, `${speed}×`));
  return h(
    "div", { class: "player", id: "player" },
    h("button", { type: "button", id: "toggle", "aria-label": "Play or pause", onclick: () => player.toggle() }, "▶"),
    h("span", { class: "times" }, h("span", { id: "now" }, "0:00.0"), " / ", h("span", { id: "length" }, "-")),
    h("div", { class: "lanes" }, h("span", {}, "caller"), h("span", {}, "agent")),
    strip,
    h("label", {}, h("span", { class: "hidden" }, "Speed"), h("select", { id: "speed", onchange: setSpeed }, speeds)),
    h("label", { class: "follow" }, h("input", { type: "checkbox", checked: view.follow, onchange: setFollow }), " follow"),
    h("span", { class: "quiet", id: "playing-side" }),
  );
}

function callHead(number, other) {
  const call = store.call(number);
  const entry = store.index[number];
  const current = (one) => (one.index === number && other === null ? "page" : null);
  const chip = (one) => h("a", { class: "chip", href: `#call/${one.case}`, "aria-current": current(one) }, one.condition);
  const chips = siblings(entry).map(chip);
  const choices = siblings(entry).filter((one) => one.index !== number);
  const select = h(
    "select", { id: "compare", onchange: (event) => { location.hash = event.target.value ? `#compare/${entry.case}/${event.target.value}` : `#call/${entry.case}`; } },
    h("option", { value: "" }, "nothing"), choices.map((one) => h("option", { value: one.condition, selected: one.index === other }, one.condition)),
  );
  const step = (offset, text) => (store.index[number + offset] ? h("a", { href: `#call/${store.index[number + offset].case}` }, text) : null);
  const scores = call.scores;
  const facts = [
    ["Overall", figure(scores.overall)], ["Task", figure(scores.task)], ["Conversation", figure(scores.conversation)],
    [call.errorRate[0], figure(call.errorRate[1], 3)], ["Known values", call.known], ["End", call.end.replaceAll("_", " ")],
  ];
  return h(
    "div", { class: "call-head" },
    h("nav", { "aria-label": "Calls" }, h("a", { href: "#calls" }, "← All calls"), step(-1, "Previous call"), step(1, "Next call")),
    h("h2", {}, call.scenario, " ", h("span", { class: "quiet" }, call.agent, call.repeat ? `, repeat ${call.repeat}` : "")),
    h("div", { class: "switches" }, h("div", { class: "chips" }, chips), choices.length ? h("label", {}, h("span", {}, "Compare with "), select) : null),
    other === null ? h("dl", { class: "facts" }, facts.map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text)))) : null,
    call.endDetail ? h("p", { class: "quiet" }, call.endDetail) : null,
  );
}

function brokenNotes(call, number) {
  if (!call.broken.length) return null;
  const item = (one) => h("li", {}, momentButton(number, one.message), h("span", {}, one.text));
  return h("ul", { class: "moments callout" }, call.broken.map(item));
}

function showCall(number, message) {
  const call = store.call(number);
  view.kind = "call";
  view.numbers = [number];
  const transcript = h("ol", { class: "transcript" }, call.blocks.map((block) => blockRows(call, number, block)));
  stage.replaceChildren(callHead(number, null), playerBar(), brokenNotes(call, number) ?? "", h("div", { class: "call-body" }, transcript, gradePanel(call)));
  reveal(number);
  if (message !== null) point(number, message, false);
}

function showComparison(number, other) {
  const [left, right] = [store.call(number), store.call(other)];
  view.kind = "compare";
  view.numbers = [number, other];
  const measures = (call) => ` overall ${figure(call.scores.overall)}, ${call.errorRate[0]} ${figure(call.errorRate[1], 3)}, known values ${call.known}`;
  const side = (call) => h("div", {}, h("b", {}, call.condition), measures(call));
  const nothing = () => h("li", { class: "quiet nothing" }, "no such turn");
  const cell = (call, at, block) => h(
    "ol", { class: "transcript", "aria-label": call.condition }, block ? blockRows(call, at, block) : nothing(),
  );
  const rows = alignBlocks(left.blocks, right.blocks).map(([a, b]) => h(
    "div", { class: `pair ${conduct(a) === conduct(b) ? "" : "differs"}` }, cell(left, number, a), cell(right, other, b),
  ));
  const heads = h("div", { class: "pair heads" }, side(left), side(right));
  stage.replaceChildren(callHead(number, other), playerBar(), heads, h("div", { class: "pairs" }, rows), itemComparison(left, right));
  reveal(number);
}

/** Items that were graded differently on the two sides. */
function itemComparison(left, right) {
  const there = new Map(right.items.map((item) => [item.id, item]));
  const differing = left.items.filter((item) => there.has(item.id) && outcomeOf(item)[0] !== outcomeOf(there.get(item.id))[0]);
  if (!differing.length) return h("p", { class: "quiet" }, "Every item was graded the same.");
  const cell = (item) => h("td", {}, badge(...outcomeOf(item)), h("br"), item.reason);
  const rows = differing.map((item) => h("tr", {}, h("th", { scope: "row" }, item.id), cell(item), cell(there.get(item.id))));
  const head = h("thead", {}, h("tr", {}, ["Item", left.condition, right.condition].map((text) => h("th", { scope: "col" }, text))));
  return h("section", {}, h("h3", {}, "Graded differently"), h("div", { class: "scroll" }, h("table", { class: "items-table" }, head, h("tbody", {}, rows))));
}

function reveal(number) {
  overview.hidden = true;
  stage.hidden = false;
  document.title = `${store.index[number].case}: Ringback`;
  scrollTo(0, stage.offsetTop);
  player.pause();
  player.number = null;
  player.load(number);
}

/** Puts the address's view on the page. */
function route() {
  const [kind, name, more] = decodeURIComponent(location.hash.slice(1)).split("/");
  const number = kind === "call" || kind === "compare" ? store.find(name) : -1;
  if (number < 0 && store.elsewhere.has(name)) return location.assign(store.elsewhere.get(name) + location.hash);
  if (number >= 0 && kind === "call") return showCall(number, more === undefined ? null : Number(more));
  const other = number >= 0 ? siblings(store.index[number]).find((one) => one.condition === more) : undefined;
  if (other) return showComparison(number, other.index);
  if (view.kind !== "overview") player.pause();
  view.kind = "overview";
  overview.hidden = false;
  stage.hidden = true;
  stage.replaceChildren();
  document.title = "Ringback report";
  if (kind) document.getElementById(kind)?.scrollIntoView();
  return undefined;
}

/** Shows a message and, when asked and where it sounds, plays from it. */
function point(number, message, sound) {
  const box = document.getElementById(`m-${number}-${message}`);
  if (!box) return;
  view.message = [number, message];
  box.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
  document.querySelectorAll(".pointed").forEach((element) => element.classList.remove("pointed"));
  box.classList.add("pointed");
  if (sound) playMessage(number, message);
}

function playMessage(number, message, only = false) {
  const call = store.call(number);
  const found = place(call, message);
  if (!found || !player.load(number)) return;
  view.message = [number, message];
  player.play(found.start, only ? found.end : null);
}

/** The spoken message before (-1) or after (1) the one last heard. */
function stepMessage(direction) {
  const number = player.number;
  const call = store.call(number);
  const order = call.segments.map((segment) => segment[0]);
  if (!order.length) return;
  const last = view.message && view.message[0] === number ? order.indexOf(view.message[1]) : -1;
  const next = Math.min(order.length - 1, Math.max(0, last + direction));
  point(number, order[next], true);
}

function seekByPointer(event) {
  const call = store.call(player.number);
  const box = event.currentTarget.getBoundingClientRect();
  if (call.samples) player.seek(((event.clientX - box.left) / box.width) * (call.samples / call.rate));
}

function seekByKey(event) {
  const move = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
  if (move === undefined) return;
  event.preventDefault();
  player.seek(Math.max(0, player.seconds + move));
}

/** Draws position and state: the bar, the strip, the message being heard. */
function draw() {
  document.querySelectorAll("button.play").forEach((button) => {
    const own = view.message !== null && numberOf(button) === player.number && button.dataset.message === String(view.message[1]);
    button.classList.toggle("active", player.playing && own);
  });
  const bar = document.getElementById("player");
  if (!bar || player.number === null) return;
  const call = store.call(player.number);
  const box = bar.querySelector(".strip-box");
  if (box.dataset.number !== String(player.number)) {
    box.dataset.number = player.number;
    box.replaceChildren(timeline(call, player.number));
    bar.classList.toggle("silent", !player.element.hasAttribute("src"));
    document.getElementById("length").textContent = call.samples ? clock(call.samples / call.rate) : "no sound";
    box.setAttribute("aria-valuemax", call.samples ? (call.samples / call.rate).toFixed(1) : "0");
    document.getElementById("playing-side").textContent = view.kind === "compare" ? call.condition : "";
  }
  document.getElementById("toggle").textContent = player.playing ? "❚❚" : "▶";
  document.getElementById("now").textContent = clock(player.seconds);
  box.setAttribute("aria-valuenow", player.seconds.toFixed(1));
  box.setAttribute("aria-valuetext", clock(player.seconds));
  const head = box.querySelector(".playhead");
  if (head) head.setAttribute("transform", `translate(${call.samples ? (player.seconds * call.rate * 1000) / call.samples : 0} 0)`);
  highlight(call, call.samples && (player.playing || player.seconds > 0) ? sounding(call, player.seconds) : []);
}

function highlight(call, messages) {
  const wanted = messages.map((message) => `m-${player.number}-${message}`);
  for (const element of stage.querySelectorAll(".msg.playing")) if (!wanted.includes(element.id)) element.classList.remove("playing");
  for (const element of stage.querySelectorAll(".segment")) element.classList.toggle("playing", messages.includes(Number(element.dataset.message)));
  for (const [at, identifier] of wanted.entries()) {
    const element = document.getElementById(identifier);
    if (!element || element.classList.contains("playing")) continue;
    element.classList.add("playing");
    view.message = [player.number, messages[at]];
    if (view.follow && player.playing) follow(element);
  }
}

/** Brings the message being heard into view, unless it can be read already. */
function follow(element) {
  const box = element.getBoundingClientRect();
  const top = document.getElementById("player").getBoundingClientRect().bottom;
  if (box.top < top || box.bottom > innerHeight) element.scrollIntoView({ block: "center", behavior: calm.matches ? "auto" : "smooth" });
}

function numberOf(button) {
  return button.dataset.case ? store.find(button.dataset.case) : Number(button.dataset.number);
}

function clicked(event) {
  const button = event.target.closest("button.play");
  if (button) {
    if (numberOf(button) < 0) location.hash = `#call/${button.dataset.case}/${button.dataset.message}`;
    else if (button.classList.contains("active")) player.pause();
    else playMessage(numberOf(button), Number(button.dataset.message), true);
    return;
  }
  const link = event.target.closest("a.evidence");
  if (link) {
    event.preventDefault();
    history.replaceState(null, "", link.getAttribute("href"));
    point(view.numbers[0], Number(link.dataset.message), true);
    return;
  }
  const box = event.target.closest(".msg.audible");
  if (box && !event.target.closest("a, summary") && getSelection().isCollapsed) playMessage(Number(box.dataset.number), Number(box.dataset.message));
}

function pressed(event) {
  if (view.kind === "overview" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, summary, .strip-box") || (event.key === " " && event.target.closest("a, button:not(.at)"))) return;
  const action = { " ": () => player.toggle(), ArrowDown: () => stepMessage(1), ArrowUp: () => stepMessage(-1) }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function filterCalls() {
  const value = (name) => document.getElementById(`filter-${name}`).value;
  const [condition, agent, order, text] = [value("condition"), value("agent"), value("order"), value("text").trim().toLowerCase()];
  const body = document.querySelector("#calls-table tbody");
  const rows = Array.from(body.rows);
  const planned = (row) => Number(row.dataset.planned);
  const size = (row) => (row.dataset[order] === "" ? Infinity : Number(row.dataset[order]) * (order === "wer" ? -1 : 1));
  rows.forEach((row, at) => { row.dataset.planned ??= at; });
  rows.sort((a, b) => (order ? size(a) - size(b) || planned(a) - planned(b) : planned(a) - planned(b)));
  let shown = 0;
  for (const row of rows) {
    const data = row.dataset;
    row.hidden = Boolean((condition && data.condition !== condition) || (agent && data.agent !== agent) || !data.text.includes(text));
    shown += row.hidden ? 0 : 1;
  }
  body.append(...rows);
  document.getElementById("filter-count").textContent = shown === rows.length ? `${shown} calls` : `${shown} of ${rows.length} calls`;
}

player.listen(draw);
document.addEventListener("click", clicked);
document.addEventListener("keydown", pressed);
for (const name of ["input", "change"]) document.querySelector(".filters").addEventListener(name, filterCalls);
document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", route);
route();
