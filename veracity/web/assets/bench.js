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
      const answer = await fetch(`/api/files?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
      const kept = await answer.json();
      if (answer.ok) location.href = `/score?upload=${kept.id}`;
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
