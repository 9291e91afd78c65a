"""The image proxy: pictures of articles, fetched by us so that sites do not see the reader."""
