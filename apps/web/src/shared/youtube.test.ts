import { expect, it } from "vitest";
import { playerUrl, youtubeVideoId } from "./youtube";

const ID = "dQw4w9WgXcQ";

it.each([
  `https://www.youtube.com/watch?v=${ID}`,
  `https://youtube.com/watch?t=5&v=${ID}`,
  `https://m.youtube.com/watch?v=${ID}#x`,
  `https://music.youtube.com/watch?v=${ID}`,
  `https://youtu.be/${ID}?si=abc`,
  `https://www.youtube.com/shorts/${ID}`,
  `https://www.youtube.com/live/${ID}?feature=share`,
  `https://www.youtube-nocookie.com/embed/${ID}`,
])("finds the video of %s", (address) => {
  expect(youtubeVideoId(address)).toBe(ID);
});

it.each([
  "https://www.youtube.com/",
  "https://www.youtube.com/@someone",
  "https://www.youtube.com/watch?v=short",
  "https://www.youtube.com/embed/videoseries?list=PL1234567890",
  "https://www.youtube.com/embed/live_stream?channel=UC1234567890",
  "https://www.youtube.com/playlist?list=PL1234567890",
  `https://notyoutube.com/watch?v=${ID}`,
  `https://youtube.com.evil.test/watch?v=${ID}`,
  "not an address",
])("leaves %s to be saved as a page", (address) => {
  expect(youtubeVideoId(address)).toBeNull();
});

it("plays on the host without cookies", () => {
  expect(playerUrl(ID)).toMatch(`https://www.youtube-nocookie.com/embed/${ID}?`);
});
