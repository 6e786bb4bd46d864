// Caches the phone page for use without a network. Lines that wait are in the page itself (queue.js); no data of a match is cached here.
// @ts-check

const KEPT = "kibitz-7";
const SHELL = "/t/";
/** The scripts in the language of the page that keeps them. */
const SCRIPTS = ["phone", "common", "queue", "ahead", "result", "photograph", "position", "help", "language"].map((name) => new URL(`${name}.js`, location.href).pathname);
const FILES = [...SCRIPTS, "/static/service.css", "/static/icon.svg"];
/** Milliseconds to wait for a network that neither answers nor fails. */
const PATIENCE = 4000;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => Promise.all([...FILES.map((file) => kept.add(file)), fetch(`${SHELL}-`).then((page) => kept.put(SHELL, page))])));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

/**
 * The newest answer; the cached one if there is none.
 * @param {Request} request
 * @param {string} name
 */
async function newest(request, name) {
  const kept = await caches.open(KEPT), old = await kept.match(name);
  try {
    const found = await fetch(request, old ? { signal: AbortSignal.timeout(PATIENCE) } : {});
    if (found.ok) await kept.put(name, found.clone());
    // A proxy whose service is gone answers for it.
    return found.status >= 500 && old ? old : found;
  } catch (error) {
    if (old) return old;
    throw error;
  }
}

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith(SHELL)) event.respondWith(newest(request, SHELL));
  else if (FILES.includes(pathname)) event.respondWith(newest(request, pathname));
});
