/** A web site on loopback with good, odd and hostile pages. */

import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

import { listenOnLoopback } from "./loopback.mjs";

const SENTENCE =
  "The harbour wakes before the town does, and the gulls, who own it, say so loudly. ";
export const BODY = Array.from(
  { length: 12 },
  (_, n) => `<p>Part ${n}. ${SENTENCE.repeat(3)}</p>`,
).join("");

const page = (body, head = "<title>Harbour</title>") =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
const article = (extra = "", head) =>
  page(`<article><h1>Harbour</h1>${BODY}</article>${extra}`, head);
const script = (code) => `<script>${code}</script>`;
const inserting = `document.querySelector('main').innerHTML = ${JSON.stringify(BODY)}`;

const html = (text) => (_request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(text);
};
const status = (code) => (request, response) => {
  response.statusCode = code;
  html(article())(request, response);
};
const file =
  (type, headers = {}, body = "%PDF-1.7 nothing much") =>
  (_request, response) => {
    response.writeHead(200, { "content-type": type, ...headers });
    response.end(body);
  };
const to = (location) => (_request, response) => {
  response.writeHead(302, { location });
  response.end();
};
const repeat = (ms) => (_request, response) => {
  response.setHeader("content-type", "text/html");
  response.write("<!doctype html><title>Drip</title><p>");
  const timer = setInterval(() => response.write("x"), ms);
  response.on("close", () => clearInterval(timer));
};

const endless =
  (text, start = "") =>
  (_request, response) => {
    response.setHeader("content-type", "text/html");
    response.write(`<!doctype html>${start}`);
    const chunk = Buffer.alloc(256 * 1024, text);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  };

const bomb =
  (text, start = "") =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" });
    const filling = Buffer.alloc(60 * 1024 * 1024, text);
    response.end(gzipSync(Buffer.concat([Buffer.from(`<!doctype html>${start}`), filling])));
  };

const announcing = (length) => (_request, response) => {
  response.writeHead(200, { "content-type": "text/html", "content-length": length });
  response.write(article(), () => response.socket?.end());
};

const PAGES = {
  "/article": html(article()),
  "/late": html(
    page(`<main></main>${script(`onload = () => setTimeout(() => { ${inserting} }, 500)`)}`),
  ),
  "/late-fetch": html(
    page(`<main></main>${script(`fetch('/slow').then(() => { ${inserting} })`)}`),
  ),
  "/late-beside-hanging": html(
    page(`<main></main>${script(`fetch('/hang'); setTimeout(() => { ${inserting} }, 500)`)}`),
  ),
  "/slow": (request, response) => setTimeout(() => html("ok")(request, response), 300),
  "/blocked-by-script": html(page(`<script src="/hang"></script>${BODY}`)),
  "/chain": to("/chain/2"),
  "/chain/2": to("/chain/3"),
  "/chain/3": to("/article"),
  "/meta-refresh": html(page("moving", '<meta http-equiv="refresh" content="1;url=/article">')),
  "/script-redirect": html(page(`moving${script("location.href = '/article'")}`)),
  "/late-redirect": html(
    page(`moving${script("setTimeout(() => location.replace('/article'), 900)")}`),
  ),
  "/to-nowhere": html(page(`moving${script("location.href = 'http://127.0.0.1:9/'")}`)),
  "/reload-later": html(
    article("", '<title>Harbour</title><meta http-equiv="refresh" content="300">'),
  ),
  "/circle": to("/circle"),
  "/script-circle": html(
    page(`round${script("location.href = '/script-circle?' + Math.random()")}`),
  ),
  "/meta-circle": (request, response) =>
    html(
      page("round", `<meta http-equiv="refresh" content="0;url=/meta-circle?${Math.random()}">`),
    )(request, response),
  "/hang": () => {},
  "/drip": repeat(200),
  "/endless": endless("endless ", "<!--"),
  "/endless-lines": endless("<p>endless "),
  "/bomb": bomb("bomb ", "<!--"),
  "/bomb-lines": bomb("<p>bomb "),
  "/less-than-announced": announcing(50_000),
  "/more-than-announced": announcing(20),
  "/loop": html(`${article()}${script("while (true);")}`),
  "/late-loop": html(article(script("setTimeout(() => { while (true); }, 10)"))),
  "/alerts": html(article(script("while (true) alert(1);"))),
  "/one-alert": html(article(script("alert(1); confirm(2); prompt(3);"))),
  "/popups": html(article(script('for (let n = 0; n < 50; n++) window.open("/article");'))),
  "/popup-links": html(
    article(
      `<a id="l" target="_blank" href="/article">x</a>${script("for (let n = 0; n < 3; n++) l.click()")}`,
    ),
  ),
  "/popup-forms": html(
    article(
      `<form id="f" action="/article"></form>${script('for (let n = 0; n < 20; n++) { f.target = "w" + n; f.submit(); }')}`,
    ),
  ),
  "/blob": html(
    page(script("location.href = URL.createObjectURL(new Blob(['<p>x'], {type: 'text/html'}))")),
  ),
  "/memory": html(
    page(
      `<p>eats${script("const a = []; while (true) a.push(new Array(1e6).fill(Math.random()));")}`,
    ),
  ),
  "/large": (_request, response) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": 50 * 1024 * 1024 });
    response.end(Buffer.alloc(50 * 1024 * 1024, "<p>large "));
  },
  "/nodes": html(page("<p>x</p>".repeat(100_000))),
  "/deep": html(page(`${"<div>".repeat(10_000)}deep text`)),
  "/deep-script": html(
    page(
      `<div id="d"></div>${script(`
      let at = d;
      for (let n = 0; n < 10000; n++) at = at.appendChild(document.createElement('div'));
      at.textContent = 'deep';`)}`,
    ),
  ),
  "/404": status(404),
  "/403": status(403),
  "/500": status(500),
  "/pdf": file("application/pdf"),
  "/pdf-as-html": file("text/html", {}, "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"),
  "/epub-as-html": file("text/html", {}, "PK\u0003\u0004\u0014\u0000mimetype"),
  "/to-pdf": to("/pdf"),
  "/posted-pdf": html(
    page(`<form method="post" action="/pdf"></form>${script("document.forms[0].submit()")}`),
  ),
  "/image": file("image/png"),
  "/json": file("application/json"),
  "/download": file("text/html", { "content-disposition": "attachment; filename=x.html" }),
  "/unnamed": file("application/octet-stream"),
  "/nothing": (_request, response) => response.end(),
  "/no-content": (_request, response) => response.writeHead(204).end(),
  "/blank": html(page("<div></div>")),
  "/robot-check": html(
    page("<h1>Just a moment…</h1><p>Checking.</p>", "<title>Just a moment...</title>"),
  ),
  "/untitled": html(page(BODY, "")),
  "/og": html(
    article("", '<title>Plain</title><meta property="og:title" content=" The  harbour, at dawn ">'),
  ),
  "/based": html(
    article('<p><a href="next">on</a></p>', '<title>B</title><base href="/elsewhere/">'),
  ),
  "/trusted": (request, response) => {
    response.setHeader(
      "content-security-policy",
      "require-trusted-types-for 'script'; script-src 'none'",
    );
    html(article())(request, response);
  },
  "/hidden": html(
    article(
      "",
      "<title>H</title><style>.a{display:none}.b{visibility:hidden}.c{visibility:visible}</style>",
    ).replace(
      "</article>",
      '<p class="a">SECRET-DISPLAY words</p><p class="b">SECRET-VISIBILITY words <b class="c">but SHOWN-INSIDE</b></p>' +
        '<p><img class="a" src="/lazy.png" alt="lazy"></p></article>',
    ),
  ),
  "/all-hidden": html(article("", "<title>H</title><style>body{visibility:hidden}</style>")),
  "/shadow": html(
    page(`<article><h1>Shadow</h1><story-text><p slot="end">SLOTTED words at the end of it.</p></story-text></article>
      ${script(`customElements.define('story-text', class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(`${BODY}<slot name="end"></slot>`)};
        }
      })`)}`),
  ),
  "/empties-itself": html(
    article(
      script(
        "document.addEventListener('DOMContentLoaded', () => document.body.replaceChildren())",
      ),
    ),
  ),
  "/shortens-itself": html(
    article(
      script(
        "setTimeout(() => document.querySelectorAll('p:nth-of-type(n+4)').forEach((p) => p.remove()), 50)",
      ),
    ),
  ),
  "/replaces-itself": html(
    page(
      `<main><p>${"An old notice about the tides, which nobody reads. ".repeat(12)}</p></main>${script(inserting)}`,
    ),
  ),
  "/attributes": html(
    article().replace(
      "<p>Part 0",
      `<p ${Array.from({ length: 60_000 }, (_, n) => `a${n}`).join(" ")}>Part 0`,
    ),
  ),
  "/noscript": html(
    article().replace(
      "</article>",
      '<p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><noscript><img src="/only.png" alt="only"></noscript></p></article>',
    ),
  ),
  "/agent": (request, response) => {
    const {
      "user-agent": agent,
      "accept-language": language,
      "proxy-connection": proxy = "none",
    } = request.headers;
    html(article().replace("</article>", `<p>AGENT ${agent} ${language} ${proxy}</p></article>`))(
      request,
      response,
    );
  },
  "/remembers": html(
    article().replace(
      "</article>",
      `<p id="found"></p></article>${script(`
        const kept = [localStorage.seen, sessionStorage.seen, document.cookie, window.name].filter(Boolean);
        found.textContent = kept.length ? 'kept ' + kept : 'nothing was here before';
        localStorage.seen = sessionStorage.seen = window.name = 'yes';
        document.cookie = 'seen=yes';`)}`,
    ),
  ),
  "/cookie": (request, response) => {
    response.setHeader("set-cookie", "seen=1");
    html(
      article().replace(
        "</article>",
        `<p>COOKIE ${request.headers.cookie ?? "none"}</p></article>`,
      ),
    )(request, response);
  },
  "/heavy": html(
    article(`<img src="/hit/img"><video src="/hit/video" autoplay></video><audio src="/hit/audio" preload></audio>
      <iframe src="/hit/frame"></iframe><style>@font-face{font-family:f;src:url(/hit/font)}
      p{font-family:f;background:url(/hit/background)}</style><script src="/hit/script"></script>`),
  ),
};

/** `{url(path), port, hits(prefix), close()}`; further pages can be given by path. */
export async function startSite(more = {}) {
  const pages = { ...PAGES, ...more };
  const seen = [];
  let open = 0;
  let mostOpen = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    seen.push(pathname);
    mostOpen = Math.max(mostOpen, ++open);
    response.on("close", () => open--);
    response.on("error", () => {});
    const page = pages[pathname] ?? ((_request, missing) => missing.writeHead(404).end());
    page(request, response);
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    /** How many requests were under way at once, at most. */
    mostOpen: () => mostOpen,
    hits: (prefix) => seen.filter((path) => path.startsWith(prefix)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
