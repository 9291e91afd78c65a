/** Every formula stays once: as MathML where the page has it, else as its TeX. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openReader } from "./support/in-page.mjs";
import { BODY } from "./support/site.mjs";

let reader;
before(async () => {
  reader = await openReader();
});
after(() => reader.close());

/** The paragraphs between the two marks. */
async function between(html) {
  const page = `<title>T</title><article>${BODY}<p>BEFORE it.</p>${html}<p>AFTER it.</p>${BODY}</article>`;
  const { content } = await reader.read(page);
  return /<p>BEFORE it\.<\/p>(.*)<p>AFTER it\.<\/p>/s
    .exec(content)?.[1]
    .replace(/\s+/g, " ")
    .trim();
}

const X2 = "<msup><mi>x</mi><mn>2</mn></msup>";
const TEX = '<annotation encoding="application/x-tex">x^2</annotation>';
const SEMANTIC = `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow>${X2}</mrow>${TEX}</semantics></math>`;
const INLINE = `<p>Take <math><mrow>${X2}</mrow></math>, says she.</p>`;
const HIDDEN = "position:absolute;clip:rect(1px,1px,1px,1px);width:1px;height:1px";

/** @type {[string, string, string][]} */
const FORMULAS = [
  [
    "MathML",
    `<p>Take <math class="m" style="color:red"><mrow>${X2}</mrow></math>, says she.</p>`,
    INLINE,
  ],
  [
    "MathML in a block that is no paragraph",
    `<div>Take <math><mrow>${X2}</mrow></math>, says she.</div>`,
    INLINE,
  ],
  ["displayed MathML", `<math display="block">${X2}</math>`, `<math display="block">${X2}</math>`],
  [
    "displayed MathML inside a paragraph",
    `<p>Take <math display="block">${X2}</math> as given.</p>`,
    `<p>Take </p><math display="block">${X2}</math><p> as given.</p>`,
  ],
  [
    "KaTeX",
    `<p>Take <span class="katex"><span class="katex-mathml" style="${HIDDEN}">${SEMANTIC}</span><span class="katex-html" aria-hidden="true">x2</span></span>, says she.</p>`,
    INLINE,
  ],
  [
    "displayed KaTeX",
    `<span class="katex-display"><span class="katex"><span class="katex-mathml">${SEMANTIC}</span><span class="katex-html" aria-hidden="true">x2</span></span></span>`,
    `<math display="block"><mrow>${X2}</mrow></math>`,
  ],
  [
    "KaTeX without MathML",
    `<p>Take <span class="katex"><span class="katex-html" aria-hidden="true">x+y</span></span>, says she.</p>`,
    "<p>Take <code>x+y</code>, says she.</p>",
  ],
  [
    "MathJax 3 and 4",
    `<p>Take <mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi>x</mjx-mi></mjx-math><mjx-assistive-mml style="${HIDDEN}">${SEMANTIC}</mjx-assistive-mml></mjx-container>, says she.</p>`,
    INLINE,
  ],
  [
    "MathJax without MathML",
    `<p>Take <mjx-container class="MathJax" jax="SVG"><mjx-math data-latex="x^2"><svg></svg></mjx-math></mjx-container>, says she.</p>`,
    "<p>Take <code>x^2</code>, says she.</p>",
  ],
  [
    "displayed MathJax",
    `<p><mjx-container jax="CHTML" display="true"><mjx-assistive-mml display="block"><math display="block">${X2}</math></mjx-assistive-mml></mjx-container></p>`,
    `<math display="block">${X2}</math>`,
  ],
  [
    "MathJax 2 with its MathML",
    `<p>Take <span class="MathJax_Preview" style="color:inherit">x squared</span><span class="MathJax" id="MathJax-Element-1-Frame" data-mathml='<math><mrow>${X2}</mrow></math>'><nobr aria-hidden="true">x2</nobr><span class="MJX_Assistive_MathML"><math><mrow>${X2}</mrow></math></span></span><script type="math/tex" id="MathJax-Element-1">x^2</script>, says she.</p>`,
    INLINE,
  ],
  [
    "MathJax 2 that was never run",
    `<p>Take <span class="MathJax_Preview">x squared</span><script type="math/tex">x^2</script>, says she.</p>`,
    "<p>Take <code>x^2</code>, says she.</p>",
  ],
  [
    "displayed TeX",
    `<p>Take <script type="math/tex; mode=display">x^2 &lt; 1</script> as given.</p>`,
    "<p>Take </p><p><code>x^2 &amp;lt; 1</code></p><p> as given.</p>",
  ],
  [
    "the formulas of an encyclopedia",
    `<p>Take <span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math alttext="{\\displaystyle x^{2}}"><semantics><mrow>${X2}</mrow>${TEX}</semantics></math></span><img src="https://wiki.example/svg/1" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle x^{2}}"></span>, says she.</p>`,
    `<p>Take <math alttext="{\\displaystyle x^{2}}"><mrow>${X2}</mrow></math>, says she.</p>`,
  ],
  [
    "the formulas of an encyclopedia, images alone",
    `<p>Take <span class="mwe-math-element"><img src="https://wiki.example/svg/1" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle x^{2}}"></span>, says she.</p>`,
    "<p>Take <code>x^{2}</code>, says she.</p>",
  ],
  [
    "an image of a blog",
    `<p>Take <img src="https://s0.wp.com/latex.php?latex=x%5E2&amp;bg=ffffff" alt="x^2" class="latex">, says she.</p>`,
    "<p>Take <code>x^2</code>, says she.</p>",
  ],
  [
    "an image of a service, without words",
    `<p>Take <img src="https://latex.codecogs.com/svg.image?x%5E2">, says she.</p>`,
    "<p>Take <code>x^2</code>, says she.</p>",
  ],
  [
    "an image with TeX beside it",
    `<p>Take <img src="/f1.png" alt="$x^2$">, says she.</p>`,
    "<p>Take <code>x^2</code>, says she.</p>",
  ],
];
for (const [what, html, expected] of FORMULAS) {
  test(what, async () => assert.equal(await between(html), expected));
}

test("pictures and prose that are no formulas stay", async () => {
  const html = `<p>A class of <img src="https://www.site.example/m.png" alt="The maths teacher, $5 in hand" class="math"> costs $5 or $6.</p>`;
  const found = await between(html);
  assert.match(
    found,
    /<img src="https:\/\/www\.site\.example\/m\.png" alt="The maths teacher, \$5 in hand">/,
  );
  assert.match(found, /costs \$5 or \$6\./);
});

test("a class of KaTeX around more than a formula is none", async () => {
  const prose = `<p>Take <math>${X2}</math>.</p><p>And take your time.</p>`;
  assert.equal(await between(`<span class="katex">${prose}</span>`), `<span>${prose}</span>`);
});

test("hidden text that is no formula stays out", async () => {
  assert.equal(
    await between(`<p>Seen.<span style="display:none">unseen</span></p>`),
    "<p>Seen.</p>",
  );
});
