"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = Object.fromEntries(data.columns.map((name, k) => [name, k]));
const runs = data.runs;
const groupOf = (run) => `${run[at.problem]}: ${run[at.question]}`;
const names = new Map(runs.map((run) => [`${groupOf(run)} ${run[at.instance_key]}`, run[at.instance]]));
const byId = (id) => document.getElementById(id);
const colour = (backend) => COLOURS[data.backends.indexOf(backend) % COLOURS.length];

function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "circle", "line", "text", "rect", "title"].includes(tag);
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function onPress(target, act) {
  target.tabIndex = 0;
  target.addEventListener("click", act);
  target.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(event); }
  });
}

function number(value) {
  if (value === null || value === undefined) return "";
  if (value === 0) return "0";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(2).replace(/\.?0*e\+?/, "e");
  return String(Number(value.toPrecision(3)));
}

// Axes

function scale(values, log, from, to) {
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (log) {
    [low, high] = [Math.log10(low), Math.log10(high)];
    const margin = high - low < 0.3 ? 0.15 : 0.04 * (high - low);
    low -= margin;
    high += margin;
  } else {
    low = Math.min(0, low);
    if (high <= low) high = low + 1;
  }
  const place = (value) => from + (((log ? Math.log10(value) : value) - low) / (high - low)) * (to - from);
  return { place, ticks: log ? logTicks(low, high) : plainTicks(low, high) };
}

function logTicks(low, high) {
  const steps = high - low > 3 ? [1] : high - low > 1.5 ? [1, 3] : high - low > 0.8 ? [1, 2, 5] : [1, 1.5, 2, 3, 5, 7];
  const ticks = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++)
    for (const step of steps) {
      const exponent = power + Math.log10(step);
      if (exponent >= low - 1e-9 && exponent <= high + 1e-9) ticks.push(step * 10 ** power);
    }
  const stride = Math.ceil(ticks.length / 7);
  return ticks.filter((_, k) => k % stride === 0);
}

function plainTicks(low, high) {
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= raw) * power;
  const ticks = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step) ticks.push(value);
  return ticks;
}

// Figures

const WIDTH = 560, HEIGHT = 360, LEFT = 76, RIGHT = 12, TOP = 10, BOTTOM = 48;

function draw(figure) {
  const svg = make("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": figure.title });
  const ends = (axis) => figure.series.flatMap((one) => one.trend.map((end) => end[axis === "x" ? 0 : 1]));
  const all = (axis) => figure.series.flatMap((one) => one[axis]).concat(ends(axis), figure.limit || []);
  if (!all("x").length) return svg;
  const square = figure.kind === "scatter" ? all("x").concat(all("y")) : null;
  const x = scale(square || all("x"), figure.x_log, LEFT, WIDTH - RIGHT);
  const y = scale(square || all("y"), figure.y_log, HEIGHT - BOTTOM, TOP);
  axes(svg, figure, x, y);
  if (figure.limit) {
    const [end, top] = [x.place(figure.limit), y.place(figure.limit)];
    svg.append(
      make("line", { class: "limit", x1: end, x2: end, y1: TOP, y2: HEIGHT - BOTTOM }),
      make("line", { class: "limit", x1: LEFT, x2: WIDTH - RIGHT, y1: top, y2: top }),
      make("line", { class: "axis", x1: LEFT, y1: HEIGHT - BOTTOM, x2: WIDTH - RIGHT, y2: TOP }),
    );
  }
  for (const one of figure.series) svg.append(series(figure, one, x, y));
  return svg;
}

function axes(svg, figure, x, y) {
  for (const value of x.ticks) {
    const place = x.place(value);
    svg.append(
      make("line", { class: "tick", x1: place, x2: place, y1: TOP, y2: HEIGHT - BOTTOM }),
      make("text", { x: place, y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, number(value)),
    );
  }
  for (const value of y.ticks) {
    const place = y.place(value);
    svg.append(
      make("line", { class: "tick", x1: LEFT, x2: WIDTH - RIGHT, y1: place, y2: place }),
      make("text", { x: LEFT - 6, y: place + 4, "text-anchor": "end" }, number(value)),
    );
  }
  const middle = (TOP + HEIGHT - BOTTOM) / 2;
  svg.append(
    make("path", { class: "axis", d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}` }),
    make("text", { class: "label", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, figure.x_label),
    make("text", { class: "label", x: 14, y: middle, "text-anchor": "middle", transform: `rotate(-90 14 ${middle})` }, figure.y_label),
  );
}

function series(figure, one, x, y) {
  const paint = colour(one.backend);
  const group = make("g", { class: "series", "data-backend": one.backend });
  const path = (points) => "M" + points.map(([across, up]) => `${x.place(across).toFixed(1)} ${y.place(up).toFixed(1)}`).join("L");
  if (one.joined) group.append(make("path", { stroke: paint, d: path(one.x.map((value, k) => [value, one.y[k]])) }));
  if (one.trend.length) group.append(make("path", { class: "trend", stroke: paint, d: path(one.trend) }));
  one.x.forEach((value, k) => {
    const point = make("circle", { class: "point", fill: paint, cx: x.place(value).toFixed(1), cy: y.place(one.y[k]).toFixed(1), r: 3.2 });
    const where = figure.kind === "scatter" ? figure.title : one.backend;
    point.append(make("title", {}, `${where}\n${nameOf(figure.group, one.instances[k])}: ${number(one.y[k])}`));
    onPress(point, () => open(find(figure.group, one.instances[k], one.backend)));
    group.append(point);
  });
  return group;
}

function legend(figure, svg) {
  const list = make("ul", { class: "legend" });
  for (const one of figure.series) {
    const chip = make("span", { class: "chip", style: `background:${colour(one.backend)}` });
    const item = make("li", {}, chip, one.backend);
    const mark = (on) => () => {
      svg.classList.toggle("chosen", on);
      for (const group of svg.querySelectorAll(".series"))
        group.classList.toggle("on", on && group.dataset.backend === one.backend);
    };
    item.addEventListener("mouseenter", mark(true));
    item.addEventListener("mouseleave", mark(false));
    list.append(item);
  }
  return list;
}

function scatterFigure(group, across, upward) {
  const { instances, costs } = data.costs[group];
  const pairs = instances
    .map((key, k) => [costs[across][k], costs[upward][k], key])
    .filter(([a, b]) => a !== null && b !== null && (a >= 0 || b >= 0));
  const limit = 2 * Math.max(1e-6, ...pairs.flatMap(([a, b]) => [a, b]));
  const place = (value) => (value < 0 ? limit : Math.max(value, 1e-6));
  const label = (name) => `${name}, ${data.unit}`;
  return {
    kind: "scatter", group, title: `${upward} against ${across}`, x_label: label(across), y_label: label(upward),
    x_log: true, y_log: true, limit,
    series: [{
      backend: upward, joined: false, trend: [],
      x: pairs.map(([a]) => place(a)), y: pairs.map(([, b]) => place(b)), instances: pairs.map((pair) => pair[2]),
    }],
  };
}

function scatterBlock(group) {
  const names = data.costs[group].backends;
  if (names.length < 2) return [];
  const pick = (chosen, label) => {
    const select = make("select", { "aria-label": label });
    for (const name of names) select.append(new Option(name, name, false, name === chosen));
    return select;
  };
  const [upward, across] = [pick(names[0], "upward"), pick(names[1], "across")];
  const block = make("figure", { "data-kind": "scatter" }, make("figcaption", {}, upward, " against ", across), make("div"));
  const redraw = () => block.lastChild.replaceChildren(draw(scatterFigure(group, across.value, upward.value)));
  upward.addEventListener("change", redraw);
  across.addEventListener("change", redraw);
  redraw();
  return [block];
}

for (const place of document.querySelectorAll(".figures")) {
  const group = place.dataset.group;
  for (const figure of data.figures.filter((one) => one.group === group)) {
    const svg = draw(figure);
    place.append(make("figure", { "data-kind": figure.kind }, make("figcaption", {}, figure.title), svg, legend(figure, svg)));
    if (figure.kind === "cactus") place.append(...scatterBlock(group));
  }
}
for (const chip of document.querySelectorAll(".chip[data-backend]")) chip.style.background = colour(chip.dataset.backend);

// Runs

const SHOWN = [
  ["problem"], ["question"], ["instance"], ["backend"], ["size", true], ["status"], ["category"], ["reason"],
  ["cpu", true, "CPU s"], ["wall", true, "wall s"], ["peak_memory", true, "MiB"],
];
const STEP = 100;
const COLLATOR = new Intl.Collator("en", { numeric: true });
const view = { sort: null, ascending: true, count: STEP, rows: runs };
const haystack = runs.map((run) => ["instance", "backend", "note", "error", "reason", "status"].map((name) => run[at[name]]).join(" ").toLowerCase());

function nameOf(group, key) { return names.get(`${group} ${key}`) || key; }

function find(group, key, backend) {
  return runs.find((run) => groupOf(run) === group && run[at.instance_key] === key && run[at.backend] === backend);
}

function shownText(name, value) {
  if (name === "peak_memory") return number(value / 2 ** 20);
  return typeof value === "number" && !Number.isInteger(value) ? number(value) : String(value);
}

function filtered() {
  const words = byId("search").value.toLowerCase();
  const wanted = ["problem", "question", "backend", "category"].map((name) => [at[name], byId(`filter-${name}`).value]);
  const rows = runs.filter((run, k) => wanted.every(([k2, value]) => !value || run[k2] === value) && haystack[k].includes(words));
  if (view.sort === null) return rows;
  const column = at[view.sort], sign = view.ascending ? 1 : -1;
  const order = (a, b) => typeof a === "string" ? COLLATOR.compare(a, b) : a - b;
  return rows.sort((a, b) => sign * order(a[column], b[column]));
}

function list() {
  view.rows = filtered();
  const body = document.createDocumentFragment();
  for (const run of view.rows.slice(0, view.count)) {
    const row = make("tr");
    for (const [name, right] of SHOWN) {
      const kind = name === "category" ? run[at.category] : right ? "number" : "";
      row.append(make("td", { class: kind, title: String(run[at[name]]) }, shownText(name, run[at[name]])));
    }
    onPress(row, () => open(run));
    body.append(row);
  }
  byId("rows").replaceChildren(body);
  const some = Math.min(view.count, view.rows.length);
  byId("shown").textContent = `${some} of ${view.rows.length} runs shown`;
  byId("more").hidden = some === view.rows.length;
  for (const head of byId("heads").children) {
    const sorted = head.dataset.name === view.sort;
    head.setAttribute("aria-sort", sorted ? (view.ascending ? "ascending" : "descending") : "none");
    head.firstChild.textContent = head.dataset.text + (sorted ? (view.ascending ? " ▲" : " ▼") : "");
  }
}

for (const [name, right, text] of SHOWN) {
  const button = make("button", { type: "button" }, text || name);
  const head = make("th", { class: right ? "number" : "", "data-name": name, "data-text": text || name }, button);
  button.addEventListener("click", () => {
    view.ascending = view.sort === name ? !view.ascending : true;
    view.sort = name;
    list();
  });
  byId("heads").append(head);
}
for (const name of ["problem", "question", "backend", "category"]) {
  const select = byId(`filter-${name}`);
  const values = name === "backend" ? data.backends : [...new Set(runs.map((run) => run[at[name]]))].sort();
  select.append(new Option("all", ""), ...values.map((value) => new Option(value, value)));
  select.addEventListener("change", () => { view.count = STEP; list(); });
}
byId("search").addEventListener("input", () => { view.count = STEP; list(); });
byId("more").addEventListener("click", () => { view.count += 5 * STEP; list(); });
list();

// One run

function board(text) {
  const rows = text.split("\n").filter((line) => line && !line.startsWith("#")).slice(1).map((line) => line.replace(/\s+/g, ""));
  const width = rows.length ? rows[0].length : 0;
  if (!width || rows.some((row) => row.length !== width)) return make("pre", {}, text);
  const svg = make("svg", { class: "board", viewBox: `0 0 ${width} ${rows.length}`, width: Math.min(880, 26 * width), role: "img", "aria-label": "board" });
  rows.forEach((row, r) => [...row].forEach((cell, c) => {
    svg.append(make("rect", { x: c, y: r, width: 1, height: 1, class: cell === "." || cell === "?" ? "unknown-cell" : "" }));
    if (cell !== "." && cell !== "?") svg.append(make("text", { x: c + 0.5, y: r + 0.53 }, cell));
  }));
  return svg;
}

const SECONDS = ["cpu", "cpu user", "cpu system", "wall", "build", "solve", "check", "time limit", "wall limit", "certificate limit"];
const BYTES = ["peak memory", "memory limit"];

function withUnits(fields) {
  for (const name of SECONDS) fields[name] = `${number(fields[name])} s`;
  for (const name of BYTES) fields[name] = `${number(fields[name] / 2 ** 20)} MiB`;
  return fields;
}

function pairsOf(object) {
  return Object.entries(object).map(([name, value]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, typeof value === "number" ? number(value) : typeof value === "string" ? value : JSON.stringify(value))));
}

function open(run) {
  if (!run) return;
  const skip = new Set(["instance_key", "counters", "value", "faults", "instance", "backend"]);
  const fields = Object.fromEntries(data.columns.filter((name) => !skip.has(name) && run[at[name]] !== "").map((name) => [name.replace("_", " "), run[at[name]]]));
  fields["started"] = new Date(run[at.started] * 1000).toISOString().replace("T", " ").slice(0, 19);
  const body = [
    make("h2", {}, `${run[at.backend]} on ${run[at.instance]}`),
    ...run[at.faults].map((fault) => make("p", { class: "bad" }, `the judge rejects: ${fault}`)),
    make("dl", { class: "details" }, ...pairsOf(withUnits(fields))),
  ];
  for (const [name, title] of [["value", "Value"], ["counters", "Counters"]])
    if (Object.keys(run[at[name]]).length) body.push(make("h3", {}, title), make("dl", { class: "details" }, ...pairsOf(run[at[name]])));
  const text = data.instances[run[at.instance_key]];
  body.push(make("h3", {}, "Instance"), text ? board(text) : make("p", {}, "too large to be shown here"));
  byId("run-body").replaceChildren(...body);
  byId("run").showModal();
  location.replace(`#run-${run[at.key].slice(0, 16)}`);
}

byId("run").addEventListener("click", (event) => { if (event.target === byId("run")) byId("run").close(); });
byId("run").addEventListener("close", () => history.replaceState(null, "", location.pathname + location.search));
if (location.hash.startsWith("#run-")) open(runs.find((run) => run[at.key].startsWith(location.hash.slice(5))));
