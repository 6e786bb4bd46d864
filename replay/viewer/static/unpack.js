// The viewer stands in the page compressed, and so do the data of a large match. Here the one becomes the script that runs, the
// other the JSON that it reads. The policy of the page names the hash of both scripts: nothing else becomes one.
// @ts-check

/**
 * The compressed contents of an element.
 * @param {Element} element
 */
async function unpacked(element) {
  const bytes = Uint8Array.from(atob(element.textContent ?? ""), (sign) => sign.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

for (const data of document.querySelectorAll('script#kibitz-data[type="application/gzip"]')) data.textContent = await unpacked(data);
for (const packed of document.querySelectorAll("script#kibitz-viewer")) {
  const viewer = document.createElement("script");
  viewer.type = "module";
  viewer.textContent = await unpacked(packed);
  packed.replaceWith(viewer);
}
