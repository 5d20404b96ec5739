// A form whose change asks for its own address: picking is asking, and every state has an address.
const forms = document.querySelectorAll("form[data-at-once]");
for (const form of forms) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("input[type=text], input[type=search], input[type=number]") && !event.target.checkValidity()) return;
    form.requestSubmit();
  });
  // Fields that are left empty say nothing, so that addresses stay short.
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData.entries()]) if (value === "") event.formData.delete(name);
  });
}

// A line that can be copied by one click.
for (const place of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(place.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  place.after(button);
}

// A file that is dropped or chosen goes up as it is, and its page opens.
for (const place of document.querySelectorAll("[data-drop]")) {
  const input = place.querySelector("input"), status = place.querySelector("[role=status]");
  const bring = async (file) => {
    if (!file) return;
    status.textContent = `Bringing ${file.name} ...`;
    try {
      const into = place.dataset.drop, name = encodeURIComponent(file.name);
      const answer = await fetch(`/api/files?name=${name}${into ? "&to=folder" : ""}`, { method: "POST", body: file });
      const kept = await answer.json();
      if (answer.ok && into) {
        document.querySelector(`[name="${into}"]`).value = kept.name;
        status.textContent = `${kept.name} lies in the folder now: look at it.`;
      } else if (answer.ok) location.href = `/score?upload=${kept.id}`;
      else status.textContent = kept.error;
    } catch (why) {
      status.textContent = `The file could not be brought: ${why.message}`;
    }
  };
  input.addEventListener("change", () => bring(input.files[0]));
  place.addEventListener("dragover", (event) => { event.preventDefault(); place.classList.add("over"); });
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => { event.preventDefault(); place.classList.remove("over"); bring(event.dataTransfer.files[0]); });
  place.hidden = false;
}

// A run that fills in: one tab of all listens to the server, the others to that tab.
for (const place of document.querySelectorAll("[data-run]")) {
  const url = place.dataset.run, wide = Number(place.dataset.wide), channel = new BroadcastChannel(url);
  const says = document.querySelector("[data-says]");
  const known = { cells: {}, process: place.dataset.process || null, running: Number(place.dataset.running) };
  let leads = false;

  function meter(svg, [done, failed]) {
    const planned = Number(svg.dataset.planned), at = (wide * done) / planned;
    svg.children[1].setAttribute("width", at.toFixed(1));
    svg.children[2].setAttribute("x", at.toFixed(1));
    svg.children[2].setAttribute("width", ((wide * failed) / planned).toFixed(1));
    svg.setAttribute("aria-label", `${done} of ${planned} done, ${failed} failed`);
  }

  function show(change) {
    const born = known.planned, failures = known.failed, { process, running } = known;
    Object.assign(known.cells, change.cells || {});
    Object.assign(known, change, { cells: known.cells });
    if (says) says.textContent = known.trouble || known.says || "";
    for (const [number, cell] of Object.entries(change.cells || {})) {
      const svg = place.querySelector(`svg[data-cell="${number}"]`);
      if (svg) meter(svg, cell);
    }
    for (const [learner, seconds] of Object.entries(change.seconds || {})) {
      const cell = [...place.querySelectorAll("[data-seconds]")].find((one) => one.dataset.seconds === learner);
      if (cell) cell.textContent = Number(seconds.toPrecision(3));
    }
    // What the page cannot draw by itself, it asks the server for: a plan that appears or grows, failures, the end.
    const ended = (change.running === 0 && running > 0) || (change.process === null && process !== null);
    const grew = born !== undefined && change.planned !== undefined && change.planned !== born;
    if (grew || ended || (failures === 0 && known.failed > 0)) location.reload();
  }

  channel.onmessage = (event) => {
    if (event.data === "hello") { if (leads) channel.postMessage(known); } else show(event.data);
  };
  channel.postMessage("hello");
  const tell = (change) => { show(change); channel.postMessage(change); };
  // A workbench that is gone tells nothing; one that was started anew has another token. Both are looked for again.
  async function explain() {
    try {
      const answer = await fetch("/api/studies");
      if (answer.status === 403) tell({ trouble: "The workbench was started anew: open the address that veracity serve has printed in its terminal." });
    } catch {
      tell({ trouble: "Connection lost: the workbench does not answer, and what stands here may be old. It is tried again." });
    }
  }
  function listen() {
    const source = new EventSource(url);
    source.addEventListener("change", (event) => tell(JSON.parse(event.data)));
    source.addEventListener("error", async () => {
      source.close();
      await explain();
      setTimeout(listen, 2000);
    });
  }
  const lead = () => new Promise(() => {
    leads = true;
    listen();
  });
  if (navigator.locks) navigator.locks.request(url, lead);
  else lead();
}

// A study that is being written: Enter adds what the field is about, and the text is checked while it is typed.
for (const form of document.querySelectorAll("[data-draft]")) {
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    const button = event.target.closest(".controls")?.querySelector("button:last-of-type");
    if (button) { event.preventDefault(); button.click(); }
  });
  const text = form.querySelector("textarea[name=text]"), plan = form.querySelector("[data-plan]");
  const list = form.querySelector("[data-mistakes]");
  let waiting = 0;
  const item = (weight, head, says) => {
    const line = document.createElement("li"), strong = document.createElement("strong");
    line.className = weight;
    strong.textContent = head;
    line.append(strong, ` ${says}`);
    return line;
  };
  async function check() {
    const answer = await fetch(`/api/check?name=${encodeURIComponent(form.dataset.draft)}`, { method: "POST", body: text.value });
    if (!answer.ok) return;
    const found = await answer.json();
    plan.textContent = found.plan ? `${found.plan}.` : "";
    list.replaceChildren(...found.mistakes.map((one) => item("refuse", one.place || "the text", one.says)),
      ...found.notes.map((one) => item(one.weight, one.weight, one.says)));
  }
  text.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(check, 500); });
  // Leaving asks where something was changed and not saved; the buttons of the form send everything along.
  const isChanged = (field) => {
    if (field.type === "checkbox") return field.checked !== field.defaultChecked;
    if (field.tagName === "SELECT") return !([...field.options].find((one) => one.defaultSelected) ?? field.options[0]).selected;
    return field.value !== field.defaultValue;
  };
  let isSent = false;
  form.addEventListener("submit", () => { isSent = true; });
  addEventListener("pageshow", () => { isSent = false; });
  addEventListener("beforeunload", (event) => {
    if (!isSent && ("unsaved" in form.dataset || [...form.querySelectorAll("input[name], select, textarea")].some(isChanged))) event.preventDefault();
  });
}

// Sliders beside numbers: moving one writes the number, letting go asks.
for (const slider of document.querySelectorAll("[data-moves]")) {
  const field = slider.form.elements[slider.dataset.moves];
  slider.addEventListener("input", () => { field.value = slider.value; });
  slider.hidden = false;
}
