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

// A run that fills in: its page asks how far it is, every second while it goes on.
for (const place of document.querySelectorAll("[data-run]")) {
  const wide = Number(place.dataset.wide), says = document.querySelector("[data-says]");
  let known = { process: place.dataset.process || null, running: Number(place.dataset.running) };

  function meter(svg, [done, failed]) {
    const planned = Number(svg.dataset.planned), at = (wide * done) / planned;
    svg.children[1].setAttribute("width", at.toFixed(1));
    svg.children[2].setAttribute("x", at.toFixed(1));
    svg.children[2].setAttribute("width", ((wide * failed) / planned).toFixed(1));
    svg.setAttribute("aria-label", `${done} of ${planned} done, ${failed} failed`);
  }

  function show(status) {
    says.textContent = status.trouble || status.says;
    for (const svg of place.querySelectorAll("svg[data-cell]")) {
      const cell = status.cells[svg.dataset.cell];
      if (cell) meter(svg, cell);
    }
    for (const cell of place.querySelectorAll("[data-seconds]")) {
      const seconds = status.seconds[cell.dataset.seconds];
      if (seconds !== undefined) cell.textContent = Number(seconds.toPrecision(3));
    }
    // What the page cannot draw by itself, it asks the server for: a plan that appears or grows, failures, the end.
    const ended = (known.running > 0 && status.running === 0) || (known.process !== null && status.process === null);
    const grew = known.planned !== undefined && known.planned !== status.planned;
    if (ended || grew || (known.failed === 0 && status.failed > 0)) location.reload();
    known = status;
  }

  // A workbench that is gone answers nothing; one that was started anew has another token. Both are asked again.
  async function look() {
    try {
      const answer = await fetch(place.dataset.run);
      if (answer.status === 403) says.textContent = "The workbench was started anew: open the address that veracity serve has printed in its terminal.";
      else if (answer.ok) show(await answer.json());
      else says.textContent = (await answer.json()).error;
    } catch {
      says.textContent = "Connection lost: the workbench does not answer, and what stands here may be old. It is tried again.";
    }
    setTimeout(look, 1000 * (known.next_look_s || 4));
  }
  look();
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
