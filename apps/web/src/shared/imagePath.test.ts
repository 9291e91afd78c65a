import { expect, it } from "vitest";
import { imagePath, isSameImage } from "./imagePath";

const proxied = (address: string) => `/media/image?url=${encodeURIComponent(address)}`;

it("leads to the image proxy and to nothing else", () => {
  expect(imagePath(proxied("https://a.example/x.jpg"))).toBe(
    "/api/media/image?url=https%3A%2F%2Fa.example%2Fx.jpg",
  );
  const picture = `/media/0c6f9a52-5a1e-4a7e-9d57-4a7e9d570c6f/pictures/${"a1".repeat(32)}.jpg`;
  expect(imagePath(picture)).toBe(`/api${picture}`);
  expect(imagePath(`${picture}/../../file`)).toBeNull();
  expect(imagePath("https://a.example/x.jpg")).toBeNull();
  expect(imagePath("/media/m1/file")).toBeNull();
  expect(imagePath(null)).toBeNull();
});

it.each([
  ["https://a.example/harbour.jpg?w=1200&h=630", "https://a.example/harbour.jpg?w=640"],
  ["https://a.example/up/harbour-1024x683.jpg", "https://a.example/up/harbour.jpg"],
  ["https://a.example/up/harbour-scaled.jpg", "https://a.example/up/harbour-768x512.jpg.webp"],
  ["https://cdn.example/w_1200/harbour@2x.png", "https://img.example/harbour.png"],
  [
    "https://up.example/thumb/a/ab/Harbour.jpg/1200px-Harbour.jpg",
    "https://up.example/thumb/a/ab/Harbour.jpg/330px-Harbour.jpg",
  ],
  [
    "https://i.example/id/8f2c1a9d/1200/master.jpg",
    "https://i.example/id/8f2c1a9d/1200/master.jpg",
  ],
])("takes %s and %s for one picture", (one, other) => {
  expect(isSameImage(proxied(one), proxied(other))).toBe(true);
});

it.each([
  ["https://a.example/harbour.jpg", "https://a.example/lighthouse.jpg"],
  ["https://a.example/2014/1.jpg", "https://a.example/2015/1.jpg"],
  ["https://a.example/?image=1", "https://a.example/?image=2"],
  ["https://a.example/800x600.jpg", "https://b.example/640x480.jpg"],
])("tells %s and %s apart", (one, other) => {
  expect(isSameImage(proxied(one), proxied(other))).toBe(false);
});
