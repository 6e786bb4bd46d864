// The data of a large match stand in the page compressed; here they become the JSON that the viewer reads.
// @ts-check
const packed = document.querySelector('script#kibitz-data[type="application/gzip"]');
if (packed) {
  const bytes = Uint8Array.from(atob(packed.textContent ?? ""), (sign) => sign.charCodeAt(0));
  packed.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
