"use strict";
// Contents that show where the reader is, the threshold and cost explorer, large tables, and what printing needs.
// Names come from the data and are only ever set as text, never as HTML.
(() => {
  const places = document.querySelectorAll(".explorer");
  const island = JSON.parse(document.getElementById("island").textContent);
  const SVG = "http://www.w3.org/2000/svg";

  function element(name, attributes, ...inside) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  }

  function shape(name, attributes, ...inside) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  }

  const ratio = (top, bottom) => (bottom === 0 ? NaN : top / bottom);
  const shown = (number) => (Number.isFinite(number) ? String(Number(number.toPrecision(4))) : "undefined");

  // Exact counts at one threshold: rows predicted positive are those whose value is at least the threshold.
  function countsAt(model, place) {
    const tp = model.tp[place], fp = model.fp[place];
    return { tp, fp, fn: model.positives - tp, tn: model.negatives - fp };
  }

  // Scores of the counts, precision and cost at the share of positives that the reader asks for.
  function scoresAt(model, place, asked) {
    const { tp, fp, fn, tn } = countsAt(model, place);
    const recall = ratio(tp, tp + fn), specificity = ratio(tn, tn + fp), rows = tp + fp + fn + tn;
    const own = ratio(tp + fn, rows), share = asked.prevalence === null ? own : asked.prevalence;
    const hit = share * recall, alarm = (1 - share) * (1 - specificity);
    const scores = {
      accuracy: share * recall + (1 - share) * specificity,
      precision: ratio(hit, hit + alarm),
      recall, specificity,
      "balanced accuracy": (recall + specificity) / 2,
      F1: ratio(2 * hit, 2 * hit + share * (1 - recall) + alarm),
      lift: ratio(ratio(hit, hit + alarm), share),
      "predicted positive": hit + alarm,
      "expected cost": share * (1 - recall) * asked.missed + alarm * asked.alarm,
    };
    return { scores, share };
  }

  // Share of the rows that are called positive at a threshold: what the slider moves through.
  const selected = (model, place) => (model.tp[place] + model.fp[place]) / (model.positives + model.negatives);

  // The threshold at which the share of rows called positive is nearest to the one asked for.
  function nearest(model, share) {
    const away = model.tp.map((_, place) => Math.abs(selected(model, place) - share));
    return away.indexOf(Math.min(...away));
  }

  function labelled(says, control, kind = "") {
    const label = element("label", { class: kind }, says);
    label.append(control);
    return label;
  }

  function cheapest(model, asked) {
    let best = 0, least = Infinity;
    for (let place = 0; place < model.tp.length; place++) {
      const cost = scoresAt(model, place, asked).scores["expected cost"];
      if (cost < least - 1e-12) { least = cost; best = place; }
    }
    return best;
  }

  // The next round number above: 1, 2 or 4 times a power of ten.
  function round(number) {
    const size = 10 ** Math.floor(Math.log10(number));
    return size * [1, 2, 4, 10].find((factor) => size * factor >= number * 0.999);
  }

  const CHARTS = [
    ["ROC curve", "false positive rate", "true positive rate", (s) => [1 - s.specificity, s.recall]],
    ["Precision and recall", "recall", "precision", (s) => [s.recall, s.precision]],
    ["Gain", "share of rows selected", "share of positives found", (s) => [s["predicted positive"], s.recall]],
    ["Detection error trade-off", "false positive rate", "false negative rate", (s) => [1 - s.specificity, 1 - s.recall]],
    ["Cost by threshold", "share of rows called positive", "expected cost", (s, share) => [share, s["expected cost"]]],
  ];

  function chart([title, across, up, point], model, asked, chosen) {
    const wide = 250, high = 205, left = 48, bottom = 36, top = 8, right = 10;
    const all = model.tp.map((_, place) => point(scoresAt(model, place, asked).scores, selected(model, place)));
    const largest = Math.max(...all.map(([, y]) => (Number.isFinite(y) ? y : 0)), 0) || 1;
    const ceiling = title.startsWith("Cost") ? round(largest) : 1;
    const x = (value) => left + value * (wide - left - right);
    const y = (value) => high - bottom - (value / ceiling) * (high - top - bottom);
    const drawing = shape("svg", { viewBox: `0 0 ${wide} ${high}`, class: "chart", role: "img",
      "aria-label": `${title} of ${model.name}; the ring is the chosen threshold` });
    for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
      drawing.append(shape("line", { x1: x(tick), x2: x(tick), y1: top, y2: high - bottom, class: "grid" }));
      drawing.append(shape("line", { x1: left, x2: wide - right, y1: y(tick * ceiling), y2: y(tick * ceiling), class: "grid" }));
      drawing.append(shape("text", { x: left - 5, y: y(tick * ceiling) + 4, class: "tick", "text-anchor": "end" }, shown(tick * ceiling)));
      drawing.append(shape("text", { x: x(tick), y: high - bottom + 14, class: "tick", "text-anchor": "middle" }, String(tick)));
    }
    let way = "", down = false;
    for (const [a, b] of all) {
      if (!Number.isFinite(a) || !Number.isFinite(b)) { down = false; continue; }
      way += `${down ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`;
      down = true;
    }
    drawing.append(shape("path", { d: way, class: "line s0" }));
    const [a, b] = all[chosen];
    if (Number.isFinite(a) && Number.isFinite(b)) {
      drawing.append(shape("circle", { cx: x(a), cy: y(b), r: 6, class: "mark s1" }));
    }
    drawing.append(shape("text", { x: (left + wide) / 2, y: high - 6, "text-anchor": "middle" }, across));
    drawing.append(shape("text", { transform: `translate(11 ${(high - bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, up));
    return element("figure", {}, element("figcaption", {}, title), drawing);
  }

  function matrix(model, counts) {
    const [negative, positive] = [model.negative, model.positive];
    const cell = (name, number) => {
      const made = element("td", { "data-cell": name }, String(number));
      return made;
    };
    const head = element("tr", {}, element("th", { scope: "col", class: "left" }, "truth"),
      element("th", { scope: "col" }, `said ${negative}`), element("th", { scope: "col" }, `said ${positive}`));
    const row = (truth, cells) => element("tr", {}, element("th", { scope: "row", class: "left" }, truth), ...cells);
    return element("table", {}, element("caption", {}, "Confusion matrix"), element("thead", {}, head),
      element("tbody", {}, row(negative, [cell("tn", counts.tn), cell("fp", counts.fp)]),
        row(positive, [cell("fn", counts.fn), cell("tp", counts.tp)])));
  }

  function scoreTable(scores) {
    const rows = Object.entries(scores).map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row", class: "left" }, name), element("td", { "data-score": name }, shown(value))));
    return element("table", {}, element("caption", {}, "Scores at this threshold"), element("tbody", {}, ...rows));
  }

  function explore(place, data) {
    const slider = element("input", { type: "range", min: "0", max: "100", step: "0.1" });
    const share_shown = element("output", {});
    const typed = element("input", { type: "number", step: "any" });
    const alarm = element("input", { type: "number", min: "0", step: "any", value: "1" });
    const missed = element("input", { type: "number", min: "0", step: "any", value: "1" });
    const share = element("input", { type: "number", min: "0", max: "1", step: "any", placeholder: "as in these rows" });
    const least = element("button", { type: "button" }, "Threshold of least cost");
    const pick = element("select", {}, ...data.models.map((model, i) => element("option", { value: i }, model.name)));
    const controls = element("div", { class: "controls" });
    const output = element("div", { "aria-live": "polite" }), charts = element("div", { class: "charts" });
    const wide = element("label", { class: "across" }, "Rows called positive: ", share_shown, slider);
    controls.append(labelled("Model", pick, "double"), labelled("Threshold", typed), wide, labelled("Cost of a false positive", alarm),
      labelled("Cost of a false negative", missed), labelled("Share of positives", share), labelled("By cost", least));
    place.append(controls, output, charts);
    place.hidden = false;

    let at = 0;
    const model = () => data.models[Number(pick.value)];
    // What cannot be (a share above 1, a negative cost) is marked by the browser and not computed with.
    const number = (input, otherwise) => {
      const wrong = !input.checkValidity();
      input.setAttribute("aria-invalid", String(wrong));
      return wrong || input.value === "" ? otherwise : input.valueAsNumber;
    };
    const asked = () => ({ alarm: number(alarm, 1), missed: number(missed, 1), prevalence: number(share, null) });

    function show() {
      const current = model(), threshold = current.thresholds[at], percent = 100 * selected(current, at);
      const says = threshold === null ? `no row is called ${current.positive}`
        : `rows with ${shown(threshold)} or more are called ${current.positive}`;
      share_shown.textContent = `${percent.toFixed(1)} %, ${threshold === null ? "above every value" : `threshold ${shown(threshold)}`}`;
      slider.setAttribute("aria-valuetext", `${percent.toFixed(1)} %: ${says}`);
      if (document.activeElement !== typed) typed.value = threshold === null ? "" : threshold;
      const found = scoresAt(current, at, asked());
      output.replaceChildren(element("p", {}, `${current.name}: ${says}, which is the positive class.`), matrix(current, countsAt(current, at)),
        scoreTable(found.scores));
      charts.replaceChildren(...CHARTS.map((kind) => chart(kind, current, asked(), at)));
    }

    // To a listed threshold; the slider goes where its share of rows is, unless the reader holds it.
    function move(to, held = false) {
      at = Math.min(Math.max(to, 0), model().tp.length - 1);
      if (!held) slider.value = String(100 * selected(model(), at));
      show();
    }

    // The threshold typed is met by the loosest one listed that is not below it: the counts are those of that one.
    function jump() {
      const wanted = typed.valueAsNumber, listed = model().thresholds;
      if (Number.isNaN(wanted)) return;
      let to = 0;
      while (to + 1 < listed.length && listed[to + 1] >= wanted) to++;
      move(to);
    }

    // An arrow goes to the next threshold, however many rows that selects.
    const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
    slider.addEventListener("keydown", (event) => {
      if (!(event.key in STEPS)) return;
      event.preventDefault();
      move(at + STEPS[event.key]);
    });
    pick.addEventListener("change", () => move(model().start));
    slider.addEventListener("input", () => move(nearest(model(), slider.valueAsNumber / 100), true));
    typed.addEventListener("input", jump);
    for (const input of [alarm, missed, share]) input.addEventListener("input", show);
    least.addEventListener("click", () => move(cheapest(model(), asked())));
    move(model().start);
  }

  // A large table, made from its texts when it is unfolded or printed.
  function unpack(place) {
    if (place.querySelector("table")) return;
    const { caption, columns, bold } = island[Number(place.dataset.place)], strong = new Set(bold);
    const head = columns.map((one) => element("th", { scope: "col", class: one.align }, one.title));
    const rows = (columns[0].at || columns[0].texts).map((_, row) => element("tr", {}, ...columns.map((one, column) => {
      const text = one.texts[one.at ? one.at[row] : row];
      return element("td", { class: one.align }, strong.has(row * columns.length + column) ? element("strong", {}, text) : text);
    })));
    const table = element("table", { "aria-label": caption }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
    place.append(element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": caption }, table));
  }

  // Which section of the contents the reader is in.
  function follow() {
    const links = [...document.querySelectorAll("nav a")];
    const list = document.querySelector("nav ol");
    const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
    let marked = null;
    const look = () => {
      const line = innerHeight / 3, end = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
      const passed = sections.filter((one) => one.getBoundingClientRect().top <= line).length;
      const now = links[end ? links.length - 1 : Math.max(passed - 1, 0)];
      if (now === marked) return;
      if (marked) marked.removeAttribute("aria-current");
      now.setAttribute("aria-current", "location");
      list.scrollTo({ left: now.offsetLeft - list.offsetLeft - list.clientWidth / 3 });
      marked = now;
    };
    if (!links.length) return;
    addEventListener("scroll", () => requestAnimationFrame(look), { passive: true });
    addEventListener("resize", look);
    look();
  }

  places.forEach((place) => explore(place, island[Number(place.dataset.place)]));
  const packed = document.querySelectorAll("details[data-place]");
  packed.forEach((one) => one.addEventListener("toggle", () => { if (one.open) unpack(one); }));
  // On paper everything is open, and afterwards as it was.
  let closed = [];
  addEventListener("beforeprint", () => {
    packed.forEach(unpack);
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((one) => { one.open = false; }));
  follow();
})();
