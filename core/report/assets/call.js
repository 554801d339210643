/* One call, or two side by side: transcript, tools, grade. */

/** An element with attributes (`on<event>` for listeners) and children; strings become text. */
function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/** Seconds as m:ss.d. */
function clock(seconds) {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const rest = tenths % 600;
  return `${Math.floor(tenths / 600)}:${String(Math.floor(rest / 10)).padStart(2, "0")}.${rest % 10}`;
}

function figure(value, digits = 1) {
  return value === null || value === undefined ? "-" : value.toFixed(digits);
}

function words(pieces) {
  return pieces.map(([text, mark]) => (mark === "same" ? text : h("mark", { class: mark }, text)));
}

function badge(text, kind = "") {
  return h("span", { class: `badge ${kind}` }, text.replaceAll("_", " "));
}

/** A button that plays one message of a call and stops after it. */
function momentButton(number, message) {
  const attributes = { type: "button", class: "play", "data-number": number, "data-message": message, title: "Play this moment" };
  return h("button", attributes, h("span", { class: "hidden" }, "Play this moment"));
}

/** One message that can be clicked: number, speaker, time, and whatever it holds. */
function messageBox(call, number, index, role, ...content) {
  const sound = place(call, index);
  const attributes = { class: `msg ${role}${sound ? " audible" : ""}`, id: `m-${number}-${index}`, "data-number": number, "data-message": index };
  const label = `Play message ${index}, ${role}`;
  const mark = sound
    ? h("button", { type: "button", class: "at", "aria-label": label, title: label }, clock(sound.start))
    : h("span", { class: "at" }, "");
  return h("div", attributes, h("div", { class: "gutter" }, h("span", { class: "index" }, `#${index}`), mark), h("div", { class: "content" }, ...content));
}

function callerRow(call, number, row) {
  const box = (fragment, ...content) => messageBox(call, number, fragment.index, "caller", ...content);
  const who = h("span", { class: "who" }, `Caller, turn ${row.turn}`);
  const lines = [];
  if (row.differs) {
    const said = h("p", { class: "said" }, h("span", { class: "tag" }, "said"), h("span", { lang: call.language }, words(row.said)));
    lines.push(h("div", { class: "intended" }, h("div", { class: "gutter" }), h("div", { class: "content" }, who, said)));
    for (const fragment of row.heard) {
      const heard = fragment.words.length ? words(fragment.words) : h("em", { class: "quiet" }, "nothing");
      lines.push(box(fragment, h("p", { class: "heard" }, h("span", { class: "tag" }, "heard"), h("span", { lang: call.language }, heard))));
    }
  } else {
    lines.push(...row.heard.map((fragment) => box(fragment, who, h("p", { lang: call.language }, words(fragment.words)))));
  }
  const facts = [
    row.wer ? `WER ${row.wer.toFixed(3)}` : null,
    row.cer ? `CER ${row.cer.toFixed(3)}` : null,
    ...row.damaged.map((fact) => `misheard ${fact}`),
    row.expressed.length ? `step ${row.expressed.join(", ")}` : null,
    row.spoken ? `spoken as “${row.spoken}”` : null,
  ].filter(Boolean);
  const notes = row.events.map((event) => h(
    "li", {}, badge(event.kind), event.applied ? " " : " not applied ",
    event.before ? ["“", event.before, "”"] : null, event.after ? [" → “", event.after, "”"] : null, event.detail ? ` (${event.detail})` : null,
  ));
  const refused = row.rejected.map((attempt) => h("li", {}, badge("rejected attempt", "bad"), ` ${attempt.reasons.join("; ")}: `, h("q", {}, attempt.raw)));
  const under = facts.length || notes.length || refused.length
    ? h("div", { class: "under" }, facts.length ? h("p", { class: "quiet" }, facts.join(" · ")) : null, h("ul", {}, notes, refused))
    : null;
  return h("li", { class: "turn caller" }, lines, under);
}

/** What the matcher said of an argument; nothing where it had none. */
function verdict(one) {
  if (one.ok === null) return "";
  return one.ok ? h("span", { class: "ok" }, "✓ as expected") : h("span", { class: "fail" }, `✗ ${one.reason}`);
}

function toolCard(number, tool) {
  const good = ["matched", "default", "answered"].includes(tool.outcome);
  const argument = (one) => h(
    "tr", { class: one.ok === false ? "wrong" : null },
    h("th", { scope: "row" }, one.name), h("td", {}, h("code", {}, one.value ?? "")),
    h("td", { title: one.ok ? one.reason : null }, verdict(one)),
  );
  const rows = [...tool.arguments.map(argument), ...tool.others.map((other) => argument({ ...other, value: "" }))];
  return h(
    "div", { class: `tool ${good ? "" : "failed"}`, id: `m-${number}-${tool.answer}`, "data-number": number, "data-tool": tool.index },
    h("p", { class: "tool-head" }, h("code", {}, tool.tool), " ", badge(tool.outcome, good ? "" : "bad"), tool.ended ? badge("ended the call") : null,
      h("span", { class: "index" }, `result #${tool.answer}`)),
    rows.length ? h("table", { class: "arguments" }, h("tbody", {}, rows)) : h("p", { class: "quiet" }, "no arguments"),
    tool.parseError ? h("p", { class: "fail" }, tool.parseError, " ", h("code", {}, tool.raw)) : null,
    h("pre", { class: "result" }, tool.result),
  );
}

/** What was heard of a reply that was spoken on a clean line, and what in it no voice says; nothing where it was not measured. */
function backRow(back) {
  if (!back) return null;
  const heard = back.silent ? `silent: ${back.silent}` : back.heard || "nothing";
  const facts = [
    back.wer === null ? null : `WER ${back.wer.toFixed(3)}`,
    back.spoken ? `spoken as “${back.spoken}”` : null,
    back.unsaid.length ? `not sayable as written: ${back.unsaid.join(", ")}` : null,
  ].filter(Boolean);
  return h("div", { class: "under back" }, h("p", { class: "quiet" }, "heard back: ", h("q", {}, heard)), facts.length ? h("p", { class: "quiet" }, facts.join(" · ")) : null);
}

function agentRow(call, number, row) {
  const text = row.text.trim() ? h("p", { lang: call.language }, row.text) : h("p", { class: "quiet" }, row.calls.length ? "calls a tool without speaking" : "silence");
  const interrupted = row.interruptedBy === null ? null : h("p", { class: "quiet" }, `interrupted by #${row.interruptedBy}`);
  const tools = row.calls.map((tool) => toolCard(number, tool));
  return h("li", { class: "turn agent" }, messageBox(call, number, row.index, "agent", h("span", { class: "who" }, "Agent"), text, interrupted), backRow(row.back), tools);
}

function otherRow(call, number, row) {
  const body = row.role === "system" ? h("details", {}, h("summary", {}, "Instructions"), h("pre", {}, row.text)) : h("p", {}, row.text);
  return h("li", { class: "turn other" }, messageBox(call, number, row.index, row.role, h("span", { class: "who" }, row.role), body));
}

function blockRows(call, number, block) {
  const make = { caller: callerRow, agent: agentRow, other: otherRow };
  return block.rows.map((row) => make[row.kind](call, number, row));
}

function outcomeOf(item) {
  if (item.status !== "scored") return [item.status, ""];
  if (item.label) return [item.label, item.label === "met" ? "good" : item.label === "partial" ? "warn" : "bad"];
  return [`${item.rating} of 5`, item.rating >= 4 ? "good" : item.rating >= 3 ? "warn" : "bad"];
}

function evidence(call, message) {
  return h("a", { class: "evidence", href: `#call/${call.case}/${message}`, "data-message": message }, `#${message}`);
}

function gradedItem(call, item) {
  const [text, kind] = outcomeOf(item);
  const about = `${item.diagnostic.replaceAll("_", " ")}, ${item.source}, weight ${item.importance}`;
  const wrong = item.matchers.filter((one) => !one.ok).map((one) => h("li", { class: "fail" }, h("code", {}, one.name), ` ${one.reason}`));
  return h(
    "li", {},
    h("p", { class: "item-head" }, badge(text, kind), h("b", {}, item.id), h("span", { class: "quiet" }, about)),
    h("p", {}, item.reason, " ", item.evidence.map((message) => [evidence(call, message), " "])),
    wrong.length ? h("ul", { class: "quiet" }, wrong) : null,
  );
}

function gradePanel(call) {
  const parts = ["task", "conversation"].map((pillar) => {
    const held = call.pillars[pillar];
    const head = held ? `${figure(held.points, 2)} of ${figure(held.max, 0)} points, coverage ${figure(held.coverage, 2)}` : "not graded";
    const items = call.items.filter((item) => item.pillar === pillar);
    const title = pillar === "task" ? "Task" : "Conversation";
    return h(
      "section", {},
      h("h3", {}, title, " ", h("b", {}, figure(held ? held.score : null))),
      h("p", { class: "quiet" }, head),
      h("ul", { class: "items" }, items.map((item) => gradedItem(call, item))),
    );
  });
  const listed = call.facts.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]);
  const facts = h("details", { class: "signature" }, h("summary", {}, "Signature of this call"), h("dl", {}, listed));
  return h("aside", { class: "grade", "aria-label": "Grade" }, parts, facts);
}

/** Stereo strip: caller above, agent below, tool calls on the line between; redrawn for the call being played. */
function timeline(call, number) {
  const svg = (name, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const strip = svg("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", class: "strip", "aria-hidden": "true" });
  if (!call.samples) return strip;
  const x = (sample) => (sample / call.samples) * 1000;
  for (const [message, lane, start, end] of call.segments) {
    const box = { x: x(start), y: lane ? 53 : 3, width: Math.max(1, x(end) - x(start)), height: 44 };
    strip.append(svg("rect", { ...box, class: `segment ${lane ? "agent" : "caller"}`, "data-message": message }));
  }
  const line = svg("line", { x1: 0, x2: 0, y1: 0, y2: 100, class: "playhead" });
  strip.append(svg("line", { x1: 0, x2: 1000, y1: 50, y2: 50, class: "middle" }));
  for (const block of call.blocks) {
    for (const row of block.rows.filter((one) => one.kind === "agent" && one.calls.length)) {
      const earlier = call.segments.filter((segment) => segment[0] <= row.index);
      const at = earlier.length ? x(earlier[earlier.length - 1][3]) : 0;
      strip.append(svg("line", { x1: at, x2: at, y1: 36, y2: 64, class: row.calls.some((tool) => tool.outcome === "mismatch") ? "call failed" : "call" }));
    }
  }
  strip.append(line);
  peaks(number, call, 1000).then((channels) => {
    if (!channels) return;
    const loudest = Math.max(0.05, ...channels.map((found) => Math.max(...found)));
    channels.slice(0, 2).forEach((found, side) => {
      const centre = side ? 75 : 25;
      const edge = (sign) => Array.from(found, (size, bin) => `${bin} ${(centre + (sign * size * 22) / loudest).toFixed(1)}`);
      strip.insertBefore(svg("path", { d: `M${edge(-1).join("L")}L${edge(1).reverse().join("L")}Z`, class: `wave ${side ? "agent" : "caller"}` }), line);
    });
  }).catch((error) => notify(`The waveform cannot be drawn: ${error.message}`));
  return strip;
}

/** Pairs two calls' blocks in order: the same plan step (or words) stand side by side; what lies between is paired by position. */
function alignBlocks(left, right) {
  const longest = Array.from({ length: left.length + 1 }, () => new Array(right.length + 1).fill(0));
  for (let a = left.length - 1; a >= 0; a -= 1) {
    for (let b = right.length - 1; b >= 0; b -= 1) {
      longest[a][b] = left[a].key === right[b].key ? longest[a + 1][b + 1] + 1 : Math.max(longest[a + 1][b], longest[a][b + 1]);
    }
  }
  const pairs = [];
  let alone = [[], []];
  const flush = () => {
    const rows = Math.max(alone[0].length, alone[1].length);
    for (let row = 0; row < rows; row += 1) pairs.push([alone[0][row] ?? null, alone[1][row] ?? null]);
    alone = [[], []];
  };
  for (let a = 0, b = 0; a < left.length || b < right.length;) {
    if (a < left.length && b < right.length && left[a].key === right[b].key) {
      flush();
      pairs.push([left[a++], right[b++]]);
    } else if (b >= right.length || (a < left.length && longest[a + 1][b] >= longest[a][b + 1])) alone[0].push(left[a++]);
    else alone[1].push(right[b++]);
  }
  flush();
  return pairs;
}

/** What the agent did in a block, for telling whether two sides went different ways. */
function conduct(block) {
  if (!block) return "";
  return JSON.stringify(block.rows.filter((row) => row.kind === "agent").map((row) => [row.text, row.calls.map((tool) => [tool.tool, tool.arguments, tool.result])]));
}
