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
