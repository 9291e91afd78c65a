/** Every number that bounds an article or a file. */

const MiB = 1024 * 1024;

export const LIMITS = Object.freeze({
  timeoutMs: 30_000,
  maxTimeoutMs: 38_000, // the caller's wall clock is 40 s; the response must arrive before it
  documentBytes: 5 * MiB, // decoded HTML of the page itself
  decodedBytes: 100 * MiB, // everything the page loads, after decompression: stops gzip bombs
  networkBytes: 50 * MiB, // everything the page loads, on the wire
  contentChars: 10 * MiB, // extracted HTML
  titleChars: 1_000,
  elements: 75_000,
  depth: 256,
  attributes: 200, // of one element; the rest is left out
  redirects: 10, // by script or meta refresh; Chromium itself stops HTTP redirects after 20
  windows: 5, // pop-ups before the page is given up
  requestLineBytes: 64 * 1024,

  browserMemoryBytes: 1536 * MiB, // all browsers of one extractor; NEXUS_BROWSER_MEMORY_BYTES
  leastBrowserMemoryBytes: 256 * MiB, // a browser with a small page takes half of it
  memoryLookMs: 40,
  crashReportMs: 3_000, // for the browser to report how a page ended, after it did
  crowdMs: 5_000, // for those under way, before an article is read again on its own

  // Of one PDF.
  pdfBytes: 100 * MiB,
  pdfPages: 5_000,
  pdfMs: 60_000,
  pdfMemoryBytes: 1024 * MiB,
  pdfHeapMb: 800, // of which JavaScript's own; the file itself lies beside it
  pdfTextChars: 20_000_000, // 4,000 on each of the pages
  pdfBatchItems: 200_000, // pieces of text laid out together: hundreds of pages
  pdfOutlineEntries: 2_000,
  pdfOutlineDepth: 16,

  startBrowserMs: 15_000, // takes 200 ms
  closeBrowserMs: 2_000, // before it is killed
  openTabMs: 5_000, // takes 50 ms
  storeMs: 25, // for an article to be stored, before the next tab is opened
  standstillMs: 5_000, // without a turn of ours: not a busy machine, but one that slept
  aliveMs: 1_000, // between two signs of life to a caller that waits
  dnsMs: 5_000,
  idleSocketMs: 15_000,
  // From here on the page gets no more network: a script that never arrives must not hold the text.
  cutOffShare: 0.5,

  // Time the page's own clock is moved forward after it loaded. Costs next to no real time.
  settleVirtualMs: 2_000,
  arriveVirtualMs: 10_000, // the same, for a page to arrive where it redirects to
  settleRefreshMs: 5_000, // a meta refresh up to this far away is a redirect, a later one a reload
  // Real time given to requests still under way: little when the text is there, more when not.
  settleReadyMs: 250,
  settleEmptyMs: 4_000,
  enoughTextChars: 1_500,
  servedTextChars: 500, // a page served with less has no text that its scripts could lose
  moveOnMs: 200, // after a page could not be read, to see whether it was on its way elsewhere

  // For extractors and gateways that others connect to.
  extractors: 64, // connections at once, each with a process; memory is bounded by the container
  gatewayConnections: 2_048,
  gatewayConnectionsEach: 512, // from one address: sixteen articles at once, 32 connections each
  gatewayIdleMs: 75_000,
  stopMs: 3_000, // for a browser to close before it is killed
});
