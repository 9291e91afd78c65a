/** In scope where the files of in-page run, with the methods that `reader.js` changes. */
declare const Readability: {
  new (
    document: Document,
    options: { keepClasses: boolean; serializer: (node: Element) => Element },
  ): {
    parse(): { title: string; content: Element; textContent: string } | null;
    _cleanConditionally(root: Element, tag: string): void;
    _removeNodes(
      nodes: ArrayLike<Element>,
      filter?: (node: Element, index: number, nodes: ArrayLike<Element>) => boolean,
    ): void;
  };
};
